import type { Translation } from './types.ts'

export const nl: Translation = {
  homeLink: 'Naar de startpagina',
  skipToContent: 'Naar de inhoud',
  languages: 'Talen',
  reportLink: 'Illegale inhoud melden',
  menu: 'Taal en weergave',
  theme: 'Weergave',
  themes: { auto: 'Zoals het apparaat', light: 'Licht', dark: 'Donker' },
  tools: 'Programma’s',
  runBy: 'Beheerd door {name}',
  legal: {
    terms: 'Gebruiksvoorwaarden',
    privacy: 'Privacybeleid',
    imprint: 'Juridische informatie',
    contact: 'Contactgegevens',
  },

  adultContent: 'Inhoud voor volwassenen',
  adultContentInGallery: 'Deze galerij bevat inhoud voor volwassenen',
  adultContentMarkedBy: 'Zo gemarkeerd door wie het heeft geüpload.',
  showAdultImage: 'Afbeelding tonen',
  showAdultImages: 'Afbeeldingen tonen',
  untitledGallery: 'Galerij zonder titel',
  gallery: 'Galerij',

  imagePage: {
    facts: 'Over deze afbeelding',
    dimensions: 'Afmetingen',
    pixels: '{width} × {height}',
    fileSize: 'Bestandsgrootte',
    format: 'Bestandstype',
    uploaded: 'Geüpload',
    fullSize: 'Ware grootte',
    openOriginal: 'Origineel openen',
    download: 'Downloaden',
    positionIn: '{position} van {count} in',
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
    ofAllImages: 'Codes van alle afbeeldingen',
    page: 'Pagina',
    file: 'Bestand',
    codes: 'Insluitcodes',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatuur met link',
    full: 'Volledige afbeelding',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    copyFailed: 'Druk op Ctrl+C om te kopiëren',
    copyOf: 'Kopiëren: {what}',
  },

  imageCount: { one: '{count} afbeelding', other: '{count} afbeeldingen' },
  pageOf: 'Pagina {page} van {pageCount}',
  downloadAll: 'Alles downloaden',
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
  invalidName:
    'Deze naam kan niet: maximaal {maxCharacters} tekens, geen emoji, geen regeleinden of besturingstekens, geen < of >.',
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
  error: { heading: 'Er ging iets mis', explanation: 'De fout ligt bij ons. Probeer het zo meteen opnieuw.' },
  requestId: 'Nummer van dit verzoek, als je de fout meldt',

  upload: {
    heading: 'Een thuis voor je afbeeldingen',
    summary: 'Deel een afbeelding met een link. Zonder account, zonder reclame, zonder tracking.',
    choose: 'Afbeeldingen kiezen',
    chooseFolder: 'Map kiezen',
    takePhoto: 'Foto maken',
    dropOrPaste: 'of sleep ze naar de pagina, of plak er een',
    dropHere: 'Laat de afbeeldingen hier los',
    accepted: '{formats}, tot {size} per stuk',
    options: 'Opties',
    adult: 'Inhoud voor volwassenen',
    adultHint: 'De afbeeldingen blijven verborgen tot iemand ze wil zien.',
    strip: 'Locatie en cameragegevens verwijderen',
    stripHint: 'In je browser, voordat er iets wordt verzonden. De afbeelding zelf blijft zoals ze is.',
    stripPlain: 'Locatie en cameragegevens verwijderen en grote foto’s verkleinen',
    hasLocation: 'Bevat een locatie',
    losesLocation: 'Locatie wordt verwijderd',
    smaller: 'Kleinere bestanden',
    smallerHint: 'Grote foto’s worden verkleind en metagegevens zoals de locatie worden verwijderd.',
    previewSize: 'Grootte van het voorbeeld',
    previewSizes: { small: 'Klein', medium: 'Middel', large: 'Groot' },
    privateLinks: 'Privélinks om later te verwijderen',
    privateLinksHint: 'Ze worden één keer getoond, meteen na het uploaden.',
    oneGallery: 'Alles in één galerij',
    galleryName: 'Naam van de galerij',
    galleryHint: 'Die mag leeg blijven.',
    start: { one: '{count} afbeelding uploaden', other: '{count} afbeeldingen uploaden' },
    startOne: 'Uploaden',
    addMore: 'Meer toevoegen',
    clear: 'Opnieuw beginnen',

    files: 'Je afbeeldingen',
    waiting: 'Wacht',
    sending: 'Wordt verzonden, {percent}',
    processing: 'Aangekomen, wordt verwerkt',
    done: 'Klaar',
    remove: '{name} weghalen',
    retry: '{name} opnieuw proberen',
    retryButton: 'Opnieuw proberen',
    retryAll: 'Alle mislukte opnieuw proberen',
    finishAnyway: 'Toch afronden',
    pause: 'Pauzeren',
    stopped: 'Gepauzeerd',
    resume: 'Verdergaan',
    offline: 'Geen verbinding. Het uploaden gaat vanzelf verder zodra ze terug is.',
    held: 'Wacht op de verbinding',

    progress: '{done} van {total} geüpload',
    allDone: { one: '{count} afbeelding is geüpload.', other: 'Alle {count} afbeeldingen zijn geüpload.' },
    someFailed: {
      one: '{count} afbeelding kon niet worden geüpload.',
      other: '{count} afbeeldingen konden niet worden geüpload.',
    },
    paused: {
      limited: 'Vanaf jouw netwerk kwam meer dan deze dienst in één keer aanneemt. Om {time} gaat het vanzelf verder.',
      busy: 'De dienst heeft het druk. Om {time} gaat het vanzelf verder.',
    },

    results: 'Klaar om te delen',
    galleryReady: 'Je galerij',
    codesShow: 'De codes tonen',
    allImages: 'Alle afbeeldingen',
    openPage: 'Pagina openen',
    another: 'Meer uploaden',
    saved: 'Van {before} naar {after}, {percent} kleiner',
    notSmaller: 'Kleiner kon niet',
    resized: 'verkleind tot {width} × {height} pixels',

    managementHeading: 'Privélinks',
    managementWarning:
      'Bewaar deze links nu: ze worden nooit meer getoond. Wie er een heeft, kan de afbeelding of galerij verwijderen waar die naartoe leidt.',

    share: 'Delen …',
    open: 'Openen',
    copyLink: 'Link kopiëren',
    qrCode: 'QR-code',
    remembered: 'Onthouden op dit apparaat',
    dontRemember: 'Niet onthouden',
    remember: 'Op dit apparaat onthouden',
    managementHint: 'Wie zo’n link heeft, kan verwijderen waar die naartoe leidt. Houd hem voor jezelf.',

    startingOver: {
      sent: { one: '{count} afbeelding is al geüpload.', other: '{count} afbeeldingen zijn al geüpload.' },
      question: 'Wat moet ermee gebeuren?',
      delete: 'Het verzondene verwijderen',
      keep: 'Bewaren',
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
      fetching: 'De afbeelding wordt opgehaald.',
      fetchFailed:
        'De server van dit adres geeft zijn afbeeldingen niet aan andere sites. Sla de afbeelding op en kies haar hier.',
    },

    moved: '{name} is nu {position} van {total}',
    orderHint: 'Sleep de afbeeldingen in volgorde, of druk op Alt en een pijltoets.',

    errors: {
      network: 'De verbinding is verbroken. Probeer het opnieuw.',
      tooLarge: 'Het bestand is groter dan {size}.',
      unsupportedFormat: 'Dit is geen afbeelding die we kennen. We accepteren {formats}.',
      damaged: 'De afbeelding is beschadigd of heeft te veel pixels.',
      galleryClosed: 'De galerij accepteert geen afbeeldingen meer. Begin een nieuwe.',
      missing: 'Kies eerst een afbeelding.',
      notStripped:
        'Locatie en cameragegevens konden niet worden verwijderd, dus is de afbeelding niet verzonden. Begin opnieuw zonder die optie om haar zo te verzenden.',
      server: 'De fout ligt bij ons. Probeer het zo meteen opnieuw.',
      galleryName: 'Deze naam voor de galerij kan niet: maximaal 255 tekens, geen emoji en geen < of >.',
    },

    limits: {
      heading: 'Goed om te weten',
      pixelCount: 'Afbeeldingen mogen tot {megapixels} miljoen pixels hebben.',
      galleries: 'Een galerij accepteert hoogstens {hours} uur lang afbeeldingen en wordt daarna vanzelf openbaar.',
      forPrograms: 'Ook programma’s kunnen uploaden:',
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
