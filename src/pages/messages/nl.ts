import type { Translation } from './types.ts'

export const nl: Translation = {
  homeLink: 'Naar de homepage',
  skipToContent: 'Naar de inhoud',
  languages: 'Talen',
  reportLink: 'Illegale inhoud melden',
  menu: 'Taal en weergave',
  theme: 'Weergave',
  themes: { auto: 'Zoals apparaat', light: 'Licht', dark: 'Donker' },
  tools: 'Tools',
  runBy: 'Beheerd door {name}',
  legal: {
    terms: 'Gebruiksvoorwaarden',
    privacy: 'Privacy',
    imprint: 'Juridische informatie',
    contact: 'Contact',
  },

  adultContent: 'Inhoud voor volwassenen',
  adultContentInGallery: 'Deze galerij bevat inhoud voor volwassenen',
  adultContentMarkedBy: 'Gemarkeerd door de uploader.',
  showAdultImage: 'Afbeelding tonen',
  showAdultImages: 'Afbeeldingen tonen',
  untitledGallery: 'Galerij zonder titel',
  gallery: 'Galerij',

  imagePage: {
    facts: 'Over deze afbeelding',
    dimensions: 'Afmetingen',
    pixels: '{width} × {height}',
    fileSize: 'Bestandsgrootte',
    format: 'Formaat',
    uploaded: 'Geüpload',
    fullSize: 'Ware grootte',
    openOriginal: 'Origineel openen',
    download: 'Downloaden',
    positionIn: '{position} van {count} in {gallery}',
    neighbours: 'Afbeeldingen in deze galerij',
    previous: 'Vorige afbeelding',
    next: 'Volgende afbeelding',
  },

  viewer: {
    title: 'Afbeelding',
    slideshow: 'Diavoorstelling',
    close: 'Sluiten',
  },

  codes: {
    heading: 'Delen',
    link: 'Link',
    links: 'Links',
    ofAllImages: 'Insluitcodes van alle afbeeldingen',
    page: 'Pagina',
    file: 'Bestand',
    codes: 'Insluitcodes',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatuur met link',
    full: 'Afbeelding op ware grootte',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    copyFailed: 'Niet gekopieerd',
    copyOf: 'Kopiëren: {what}',
  },

  imageCount: { one: '{count} afbeelding', other: '{count} afbeeldingen' },
  pageOf: 'Pagina {page} van {pageCount}',
  downloadAll: 'Alle downloaden',
  downloadPart: 'Deel {part} van {parts} downloaden',
  pages: 'Pagina’s',
  previousPage: 'Vorige pagina',
  nextPage: 'Volgende pagina',

  managed: {
    image: {
      heading: 'Je afbeelding beheren',
      explanation: 'Wie het adres van deze pagina heeft, kan de afbeelding verwijderen. Houd het voor jezelf.',
      deleteHeading: 'Afbeelding verwijderen',
      deleteWarning:
        'De afbeelding, de pagina en de miniatuur verdwijnen voorgoed. Dit kan niet ongedaan worden gemaakt.',
      deleteButton: 'Afbeelding verwijderen',
      deleted: {
        heading: 'De afbeelding is verwijderd',
        explanation: 'Dat staat vanaf nu op de pagina van de afbeelding. Dit adres is niet meer nodig.',
      },
    },
    gallery: {
      heading: 'Je galerij beheren',
      explanation:
        'Wie het adres van deze pagina heeft, kan de galerij hernoemen of verwijderen. Houd het voor jezelf.',
      deleteHeading: 'Galerij verwijderen',
      deleteWarning: 'De galerij verdwijnt voorgoed, met alle afbeeldingen erin. Dit kan niet ongedaan worden gemaakt.',
      deleteButton: 'Galerij en afbeeldingen verwijderen',
      deleted: {
        heading: 'De galerij is verwijderd',
        explanation: 'Ook alle afbeeldingen erin zijn verwijderd. Dit adres is niet meer nodig.',
      },
    },
  },
  publicPage: 'Openbare pagina',
  rename: 'Galerij hernoemen',
  nameLabel: 'Naam',
  nameHint:
    'Maximaal {maxCharacters} tekens, geen emoji en geen < of >. De naam mag leeg zijn. Het adres blijft hetzelfde.',
  renameButton: 'Hernoemen',
  renamed: 'De galerij heeft een nieuwe naam.',
  invalidName: 'Gebruik een naam van maximaal {maxCharacters} tekens, zonder emoji, regeleinden, < of >.',
  confirmDelete: 'Ja, voorgoed verwijderen',
  confirmMissing: 'Er is nog niets verwijderd. Vink eerst het vakje aan en verwijder dan.',

  missingImage: {
    heading: 'Deze afbeelding bestaat niet',
    explanation: 'De afbeelding is verwijderd of nog niet openbaar, of het adres klopt niet.',
  },
  missingGallery: {
    heading: 'Deze galerij bestaat niet',
    explanation: 'De galerij is verwijderd of nog niet openbaar, of het adres klopt niet.',
  },
  notFound: { heading: 'Hier is niets', explanation: 'Controleer het adres.' },
  deletedNotice: {
    heading: 'Al verwijderd',
    explanation: 'Wat met dit adres werd beheerd, is verwijderd. Het adres is niet meer nodig.',
  },
  limitReached: {
    heading: 'Dat was veel tegelijk',
    explanation:
      'Vanaf jouw netwerk kwam het afgelopen uur meer dan deze dienst aanneemt. Probeer het over een tijdje opnieuw.',
  },
  foreignForm: {
    heading: 'Dit formulier kwam van een andere site',
    explanation: 'Er is niets gedaan. Open de pagina hier en verstuur het formulier dat erop staat.',
  },
  badRequest: {
    heading: 'Dat is niet gelukt',
    explanation: 'Het formulier is niet volledig aangekomen. Ga terug en probeer het opnieuw.',
  },
  error: { heading: 'Er ging iets mis', explanation: 'Het probleem ligt bij ons. Probeer het zo meteen opnieuw.' },
  requestId: 'Nummer van dit verzoek, als je de fout meldt',

  upload: {
    heading: 'Afbeeldingen uploaden en delen',
    summary: 'Deel afbeeldingen met een link. Zonder account, zonder reclame, zonder tracking.',
    choose: 'Afbeeldingen kiezen',
    chooseFolder: 'Map kiezen',
    takePhoto: 'Foto maken',
    dropOrPaste: 'of sleep ze hierheen, of plak vanaf het klembord',
    dropHere: 'Laat de afbeeldingen los om ze toe te voegen',
    accepted: '{formats}, tot {size} per stuk',
    options: 'Opties',
    adult: 'Inhoud voor volwassenen',
    adultHint: 'De afbeeldingen blijven verborgen tot iemand ze wil zien.',
    strip: 'Locatie en cameragegevens verwijderen',
    stripHint: 'Gebeurt in je browser, vóór het uploaden. Aan de afbeelding zelf verandert niets.',
    stripPlain: 'Locatie en cameragegevens verwijderen en grote foto’s verkleinen',
    hasLocation: 'Met locatie',
    losesLocation: 'Zonder locatie',
    smaller: 'Bestanden verkleinen',
    smallerHint: 'Verkleint grote foto’s en verwijdert metagegevens zoals de locatie.',
    previewSize: 'Grootte van de miniaturen',
    previewSizes: { small: 'Klein', medium: 'Middel', large: 'Groot' },
    privateLinks: 'Verwijderlinks maken',
    privateLinksHint: 'Worden maar één keer getoond, meteen na het uploaden.',
    oneGallery: 'Alles in één galerij zetten',
    galleryName: 'Naam van de galerij',
    galleryHint: 'Optioneel',
    start: { one: '{count} afbeelding uploaden', other: '{count} afbeeldingen uploaden' },
    startOne: 'Uploaden',
    addMore: 'Meer toevoegen',
    clear: 'Opnieuw beginnen',

    files: 'Je afbeeldingen',
    waiting: 'In wachtrij',
    sending: 'Uploaden, {percent}',
    processing: 'Wordt verwerkt',
    done: 'Klaar',
    remove: '{name} weghalen',
    retry: '{name} opnieuw proberen',
    retryButton: 'Opnieuw proberen',
    retryAll: 'Mislukte opnieuw proberen',
    finishAnyway: 'Zonder deze publiceren',
    pause: 'Pauzeren',
    stopped: 'Gepauzeerd',
    resume: 'Hervatten',
    offline: 'Je bent offline. Het uploaden gaat verder zodra je weer online bent.',
    held: 'Wacht op verbinding',

    progress: '{done} van {total} geüpload',
    allDone: { one: '{count} afbeelding geüpload.', other: 'Alle {count} afbeeldingen geüpload.' },
    someFailed: {
      one: '{count} afbeelding kon niet worden geüpload.',
      other: '{count} afbeeldingen konden niet worden geüpload.',
    },
    paused: {
      limited: 'Je netwerk heeft de uploadlimiet bereikt. Het uploaden gaat om {time} verder.',
      busy: 'De dienst heeft het druk. Het uploaden gaat om {time} verder.',
    },

    results: 'Klaar om te delen',
    galleryReady: 'Je galerij',
    codesShow: 'Tonen in insluitcode',
    allImages: 'Alle afbeeldingen',
    openPage: 'Pagina openen',
    another: 'Meer uploaden',
    saved: '{before} → {after} ({percent} kleiner)',
    notSmaller: 'Al zo klein mogelijk',
    resized: 'verkleind tot {width} × {height} pixels',

    managementHeading: 'Verwijderlinks',
    managementWarning:
      'Bewaar deze links nu. Ze worden niet nog eens getoond. Wie er een heeft, kan de afbeelding of galerij verwijderen.',

    share: 'Delen …',
    open: 'Openen',
    copyLink: 'Link kopiëren',
    qrCode: 'QR-code',
    remembered: 'Opgeslagen op dit apparaat',
    dontRemember: 'Niet opslaan',
    remember: 'Op dit apparaat opslaan',
    managementHint: 'Wie een van deze links heeft, kan de afbeelding of galerij verwijderen. Deel ze niet.',

    startingOver: {
      sent: { one: '{count} afbeelding is al geüpload.', other: '{count} afbeeldingen zijn al geüpload.' },
      question: 'De geüploade afbeeldingen verwijderen of bewaren?',
      delete: 'Afbeeldingen verwijderen',
      keep: 'Afbeeldingen bewaren',
      cancel: 'Annuleren',
      deleted: {
        one: '{count} afbeelding is verwijderd.',
        other: '{count} afbeeldingen zijn verwijderd.',
      },
      failed: {
        one: '{count} afbeelding kon niet worden verwijderd. Probeer het opnieuw.',
        other: '{count} afbeeldingen konden niet worden verwijderd. Probeer het opnieuw.',
      },
    },

    shared: {
      heading: 'Gedeeld vanuit een andere app',
      add: 'Toevoegen',
      discard: 'Weggooien',
      left: { one: '{count} bestand is weggelaten.', other: '{count} bestanden zijn weggelaten.' },
      limit: 'Er kunnen tot {files} bestanden en {size} tegelijk worden gedeeld, als er ruimte is op het apparaat.',
      interrupted: 'Het delen is onderbroken. Deel de ontbrekende bestanden opnieuw.',
    },

    unfit: {
      heading: {
        one: '{count} bestand kan zo niet worden geüpload',
        other: '{count} bestanden kunnen zo niet worden geüpload',
      },
      tooBig: 'Groter dan {size} of {megapixels} megapixel.',
      makeSmaller: 'Verkleinen',
      convertible: 'Dit formaat kan niet worden geüpload, maar je browser kan het omzetten.',
      convert: 'Omzetten naar JPEG',
      unreadable:
        'Dit formaat kan niet worden geüpload, en je browser kan het niet omzetten. Sla het eerst op als JPEG.',
      curing: 'Een ogenblik …',
      failed: '{name} kon in deze browser niet worden gelezen.',
      close: 'Sluiten',
      fetching: 'De afbeelding wordt opgehaald …',
      fetchFailed:
        'Die website staat niet toe dat haar afbeeldingen hier worden geladen. Sla de afbeelding op en kies die hier.',
    },

    moved: '{name} is nu {position} van {total}',
    orderHint: 'Sleep om te sorteren, of druk op Alt en een pijltoets.',

    errors: {
      network: 'Verbinding verbroken. Probeer het opnieuw.',
      tooLarge: 'Het bestand is groter dan {size}.',
      unsupportedFormat: 'Dit bestandstype wordt niet ondersteund. Toegestaan: {formats}.',
      damaged: 'De afbeelding is beschadigd.',
      tooManyPixels: 'De afbeelding heeft te veel pixels. Maak die kleiner.',
      blocked: 'De beheerder van de site heeft deze afbeelding geblokkeerd.',
      galleryClosed: 'Deze galerij accepteert geen afbeeldingen meer. Begin een nieuwe.',
      galleryFull: 'De galerij is vol. Publiceer die en begin een nieuwe.',
      notFinalizable: 'De galerij kon niet worden gepubliceerd. Probeer het opnieuw.',
      missing: 'Kies eerst een afbeelding.',
      notStripped:
        'Locatie en cameragegevens konden niet worden verwijderd, dus is de afbeelding niet geüpload. Begin opnieuw zonder die optie om de afbeelding toch te uploaden.',
      busy: 'De dienst heeft het druk. Probeer het zo meteen opnieuw.',
      slow: 'De verbinding was te traag. Probeer het opnieuw.',
      storageFull: 'De dienst heeft geen ruimte meer. Probeer het later opnieuw.',
    },

    limits: {
      heading: 'Goed om te weten',
      pixelCount: 'Tot {megapixels} megapixel per afbeelding.',
      galleries:
        'Je kunt {duration} lang afbeeldingen aan een galerij toevoegen. Daarna wordt die automatisch gepubliceerd.',
      forPrograms: 'Uploaden vanaf de opdrachtregel of uit een app:',
    },
  },

  uploads: {
    heading: 'Je uploads',
    explanation: 'Op dit apparaat. De lijst staat alleen in deze browser en wordt nooit verzonden.',
    empty: 'Hier staat nog niets. Wat je in deze browser uploadt, verschijnt hier.',
    needsScript: 'De lijst staat in je browser en wordt daar gemaakt: daar is JavaScript voor nodig.',
    filter: 'Filteren op naam',
    delete: 'Verwijderen',
    deleteName: '{name} verwijderen',
    deleteQuestion: '{name} voorgoed verwijderen?',
    deleted: '{name} is verwijderd.',
    deleteFailed: 'Het kon niet worden verwijderd. Probeer het zo nog eens.',
    deleteUnknown: 'Deze dienst herkent de privélink niet. Het item blijft in de lijst.',
    forgetAll: 'Alles vergeten',
    forgetQuestion:
      'Alles vergeten? De afbeeldingen blijven online, en zonder hun privélinks kan niemand ze verwijderen. Exporteer eerst de lijst om ze te bewaren.',
    export: 'Exporteren',
    import: 'Importeren',
    imported: { one: '{count} item is toegevoegd.', other: '{count} items zijn toegevoegd.' },
    importFailed: 'Dit bestand bevat geen lijst van uploads.',
  },

  embed: {
    button: 'Afbeeldingen toevoegen',
    explanation: 'Wat je hier uploadt, komt in je tekst op {site}.',
    insert: 'In de tekst invoegen',
    lost: 'De pagina met je tekst is niet meer bereikbaar. Kopieer in plaats daarvan de code.',
  },

  report: {
    heading: 'Illegale inhoud melden',
    explanation:
      'Meld ons een afbeelding of galerij die hier niet hoort te staan. Elke melding wordt door een mens gelezen. Je hebt geen account nodig, en we bewaren over jou alleen wat je hier schrijft.',
    url: 'Adres van de afbeelding of galerij',
    urlHint: 'Kopieer het uit de adresbalk van je browser.',
    urlWrong:
      'Dit is geen adres van een afbeelding of galerij van ons. Kopieer het hele adres uit de adresbalk van je browser.',
    notFound:
      'Op dit adres staat geen afbeelding of galerij. Misschien is de inhoud al verwijderd; zo niet, controleer dan het adres.',
    reason: 'Wat is er mis mee?',
    reasons: {
      illegal: 'Het is in strijd met de wet',
      child: 'Seksueel misbruik van een kind',
      copyright: 'Het schendt het auteursrecht',
      personal: 'Het schendt mijn privacy',
      violence: 'Geweld of haat',
      other: 'Iets anders',
    },
    reasonMissing: 'Kies wat er mis is.',
    details: 'Toelichting',
    detailsHint:
      'Wat we moeten weten, zoals welke wet wordt overtreden of welk werk van jou is. Maximaal {maxCharacters} tekens.',
    detailsWrong: 'Leg in maximaal {maxCharacters} tekens uit wat er mis is.',
    contact: 'Hoe we je kunnen bereiken (optioneel)',
    contactHint: 'Bijvoorbeeld een e-mailadres, als je antwoord wilt.',
    contactWrong: 'Gebruik maximaal {maxCharacters} tekens.',
    submit: 'Melding versturen',
    tooMany:
      'Je hebt in korte tijd veel meldingen verstuurd. Deze is nog niet verstuurd: probeer het over een paar minuten opnieuw.',
    unreadable: 'We konden dit formulier niet lezen. Vul het nog een keer in, met een kortere tekst als die lang was.',
    done: { heading: 'Bedankt', explanation: 'Je melding is aangekomen. We bekijken deze zo snel mogelijk.' },
  },
}
