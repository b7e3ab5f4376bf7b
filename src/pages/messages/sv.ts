import type { Translation } from './types.ts'

export const sv: Translation = {
  homeLink: 'Till startsidan',
  skipToContent: 'Hoppa till innehållet',
  languages: 'Språk',
  reportLink: 'Anmäl olagligt innehåll',
  menu: 'Språk och tema',
  theme: 'Tema',
  themes: { auto: 'Som enheten', light: 'Ljust', dark: 'Mörkt' },
  tools: 'Verktyg',
  runBy: 'Drivs av {name}',
  legal: { terms: 'Användarvillkor', privacy: 'Integritet', imprint: 'Juridisk information', contact: 'Kontakt' },

  adultContent: 'Vuxeninnehåll',
  adultContentInGallery: 'Det här galleriet har vuxeninnehåll',
  adultContentMarkedBy: 'Märkt så av den som laddade upp det.',
  showAdultImage: 'Visa bilden',
  showAdultImages: 'Visa bilderna',
  untitledGallery: 'Namnlöst galleri',
  gallery: 'Galleri',

  imagePage: {
    facts: 'Om den här bilden',
    dimensions: 'Mått',
    pixels: '{width} × {height}',
    fileSize: 'Filstorlek',
    format: 'Filformat',
    uploaded: 'Uppladdad',
    fullSize: 'Full storlek',
    openOriginal: 'Öppna originalet',
    download: 'Ladda ner',
    positionIn: '{position} av {count} i',
    neighbours: 'Bilder i det här galleriet',
    previous: 'Föregående bild',
    next: 'Nästa bild',
  },

  viewer: {
    title: 'Bild',
    slideshow: 'Bildspel',
    close: 'Stäng',
  },

  codes: {
    heading: 'Dela',
    link: 'Länk',
    links: 'Länkar',
    ofAllImages: 'Koder för alla bilder',
    page: 'Sida',
    file: 'Fil',
    codes: 'Koder',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatyr med länk',
    full: 'Hela bilden',
    copy: 'Kopiera',
    copied: 'Kopierat',
    copyFailed: 'Tryck Ctrl+C för att kopiera',
    copyOf: 'Kopiera: {what}',
  },

  imageCount: { one: '{count} bild', other: '{count} bilder' },
  pageOf: 'Sida {page} av {pageCount}',
  downloadAll: 'Ladda ner alla',
  downloadPart: 'Ladda ner del {part} av {parts}',
  pages: 'Sidor',
  previousPage: 'Föregående sida',
  nextPage: 'Nästa sida',

  managed: {
    image: {
      heading: 'Hantera din bild',
      explanation: 'Den som har adressen till den här sidan kan ta bort bilden. Behåll den för dig själv.',
      deleteHeading: 'Ta bort bilden',
      deleteWarning: 'Bilden, dess sida och dess miniatyr försvinner för gott. Det går inte att ångra.',
      deleteButton: 'Ta bort bilden',
      deleted: {
        heading: 'Bilden är borttagen',
        explanation: 'Dess sida säger det från och med nu. Den här adressen har ingen mer användning.',
      },
    },
    gallery: {
      heading: 'Hantera ditt galleri',
      explanation:
        'Den som har adressen till den här sidan kan byta namn på eller ta bort galleriet. Behåll den för dig själv.',
      deleteHeading: 'Ta bort galleriet',
      deleteWarning: 'Galleriet försvinner för gott, och det gör även varje bild i det. Det går inte att ångra.',
      deleteButton: 'Ta bort galleriet och dess bilder',
      deleted: {
        heading: 'Galleriet är borttaget',
        explanation: 'Alla dess bilder är också borttagna. Den här adressen har ingen mer användning.',
      },
    },
  },
  publicPage: 'Offentlig sida',
  rename: 'Byt namn på galleriet',
  nameLabel: 'Namn',
  nameHint:
    'Högst {maxCharacters} tecken, inga emojier och varken < eller >. Det får vara tomt. Adressen förblir densamma.',
  renameButton: 'Byt namn',
  renamed: 'Galleriet har sitt nya namn.',
  invalidName:
    'Det här namnet kan inte användas: högst {maxCharacters} tecken, inga emojier, inga radbrytningar eller styrtecken, varken < eller >.',
  confirmDelete: 'Ja, ta bort det för gott',
  confirmMissing: 'Ingenting är borttaget ännu. Kryssa först i rutan och ta sedan bort.',

  missingImage: {
    heading: 'Ingen bild här',
    explanation: 'Den är borttagen, är inte offentlig ännu, eller så är adressen fel.',
  },
  missingGallery: {
    heading: 'Inget galleri här',
    explanation: 'Det är borttaget, är inte offentligt ännu, eller så är adressen fel.',
  },
  notFound: { heading: 'Här finns ingenting', explanation: 'Kontrollera adressen.' },
  deletedNotice: {
    heading: 'Redan borttaget',
    explanation: 'Det som den här adressen hanterade är borttaget. Den har ingen mer användning.',
  },
  limitReached: {
    heading: 'Det var mycket på en gång',
    explanation:
      'Mer har kommit från ditt nätverk den senaste timmen än vad tjänsten tar emot. Försök igen om en stund.',
  },
  foreignForm: {
    heading: 'Det här formuläret kom från en annan webbplats',
    explanation: 'Ingenting har hänt. Öppna sidan här och skicka dess eget formulär.',
  },
  badRequest: {
    heading: 'Det gick inte',
    explanation: 'Formuläret kom inte fram helt. Gå tillbaka och försök igen.',
  },
  error: { heading: 'Något gick fel', explanation: 'Felet är vårt. Försök igen om ett ögonblick.' },
  requestId: 'Numret på den här förfrågan, om du anmäler felet',

  upload: {
    heading: 'Ett hem för dina bilder',
    summary: 'Dela en bild med dess länk. Inget konto, ingen reklam, ingen spårning.',
    choose: 'Välj bilder',
    chooseFolder: 'En mapp',
    takePhoto: 'Ta ett foto',
    dropOrPaste: 'eller släpp dem var som helst, eller klistra in en',
    dropHere: 'Släpp bilderna var som helst',
    accepted: '{formats}, upp till {size} vardera',
    options: 'Alternativ',
    adult: 'Vuxeninnehåll',
    adultHint: 'Bilderna ligger under en slöja tills någon lyfter den.',
    strip: 'Ta bort plats- och kameradata',
    stripHint: 'I din webbläsare, innan något skickas. Själva bilden förblir som den är.',
    stripPlain: 'Ta bort plats- och kameradata och gör stora foton mindre',
    hasLocation: 'Innehåller en plats',
    losesLocation: 'Platsen tas bort',
    smaller: 'Mindre filer',
    smallerHint: 'Stora foton görs mindre, och metadata som platsen tas bort.',
    previewSize: 'Storlek på förhandsvisning',
    previewSizes: { small: 'Liten', medium: 'Medel', large: 'Stor' },
    privateLinks: 'Privata länkar för att ta bort dem senare',
    privateLinksHint: 'De visas en gång, direkt efter uppladdningen.',
    oneGallery: 'Ett galleri för alla',
    galleryName: 'Galleriets namn',
    galleryHint: 'Det får vara tomt.',
    start: { one: 'Ladda upp {count} bild', other: 'Ladda upp {count} bilder' },
    startOne: 'Ladda upp',
    addMore: 'Lägg till fler',
    clear: 'Börja om',

    files: 'Dina bilder',
    waiting: 'Väntar',
    sending: 'Skickar, {percent}',
    processing: 'Framme, bearbetas',
    done: 'Klar',
    remove: 'Ta bort {name}',
    retry: 'Försök med {name} igen',
    retryButton: 'Försök igen',
    retryAll: 'Försök igen med allt som misslyckades',
    finishAnyway: 'Avsluta ändå',
    pause: 'Pausa',
    stopped: 'Pausad',
    resume: 'Fortsätt',
    offline: 'Ingen anslutning. Uppladdningen fortsätter av sig själv när den är tillbaka.',
    held: 'Väntar på anslutningen',

    progress: '{done} av {total} uppladdade',
    allDone: { one: '{count} bild är uppladdad.', other: 'Alla {count} bilder är uppladdade.' },
    someFailed: { one: '{count} bild kunde inte laddas upp.', other: '{count} bilder kunde inte laddas upp.' },
    paused: {
      limited:
        'Mer har kommit från ditt nätverk än vad tjänsten tar emot på en gång. Det fortsätter av sig självt kl. {time}.',
      busy: 'Tjänsten har mycket att göra. Det fortsätter av sig självt kl. {time}.',
    },

    results: 'Klart att dela',
    galleryReady: 'Ditt galleri',
    codesShow: 'Koderna visar',
    allImages: 'Alla bilder',
    openPage: 'Öppna sidan',
    another: 'Ladda upp fler',
    saved: '{before} blev {after}, {percent} mindre',
    notSmaller: 'Den kunde inte bli mindre',
    resized: 'gjord till {width} × {height} pixlar',

    managementHeading: 'Privata länkar',
    managementWarning:
      'Spara de här länkarna nu: de visas aldrig igen. Den som har en kan ta bort det som den leder till.',

    share: 'Dela …',
    open: 'Öppna',
    copyLink: 'Kopiera länken',
    qrCode: 'QR-kod',
    remembered: 'Sparad på den här enheten',
    dontRemember: 'Kom inte ihåg',
    remember: 'Kom ihåg på den här enheten',
    managementHint: 'Den som har en sådan länk kan ta bort det som den leder till. Behåll den för dig själv.',

    startingOver: {
      sent: { one: '{count} bild är redan uppladdad.', other: '{count} bilder är redan uppladdade.' },
      question: 'Vad ska hända med det som är skickat?',
      delete: 'Ta bort det som skickats',
      keep: 'Behåll',
      cancel: 'Avbryt',
      deleted: {
        one: '{count} bild har tagits bort.',
        other: '{count} bilder har tagits bort.',
      },
      failed: {
        one: '{count} bild kunde inte tas bort. Försök igen.',
        other: '{count} bilder kunde inte tas bort. Försök igen.',
      },
    },

    shared: {
      heading: 'Delat från en annan app',
      add: 'Lägg till',
      discard: 'Kasta',
      left: { one: '{count} fil utelämnades.', other: '{count} filer utelämnades.' },
      limit: 'Upp till {files} filer och {size} kan delas på en gång, om det finns plats på enheten.',
      interrupted: 'Delningen avbröts. Dela de filer som saknas igen.',
    },

    unfit: {
      heading: {
        one: '{count} fil kan inte laddas upp som den är',
        other: '{count} filer kan inte laddas upp som de är',
      },
      tooBig: 'Större än {size} eller {megapixels} megapixel.',
      makeSmaller: 'Gör mindre',
      convertible: 'Det här formatet kan inte laddas upp, men din webbläsare kan konvertera det.',
      convert: 'Konvertera till JPEG',
      unreadable:
        'Det här formatet kan inte laddas upp, och din webbläsare kan inte konvertera det. Spara det som JPEG först.',
      curing: 'Ett ögonblick …',
      failed: '{name} kunde inte läsas i den här webbläsaren.',
      close: 'Stäng',
      fetching: 'Bilden hämtas.',
      fetchFailed:
        'Servern på den här adressen lämnar inte ut sina bilder till andra webbplatser. Spara bilden och välj den sedan här.',
    },

    moved: '{name} är nu {position} av {total}',
    orderHint: 'Dra bilderna i ordning, eller tryck på Alt och en piltangent.',

    errors: {
      network: 'Anslutningen bröts. Försök igen.',
      tooLarge: 'Filen är större än {size}.',
      unsupportedFormat: 'Det här är ingen bild som vi känner till. Vi tar emot {formats}.',
      damaged: 'Bilden är skadad eller har för många pixlar.',
      galleryClosed: 'Galleriet tar inte emot fler bilder. Börja på ett nytt.',
      missing: 'Välj en bild först.',
      notStripped:
        'Plats- och kameradata kunde inte tas bort, så filen skickades inte. Börja om utan det alternativet för att skicka den som den är.',
      server: 'Felet är vårt. Försök igen om ett ögonblick.',
      galleryName: 'Galleriets namn kan inte användas: högst 255 tecken, inga emojier, varken < eller >.',
    },

    limits: {
      heading: 'Bra att veta',
      pixelCount: 'Bilder får ha upp till {megapixels} miljoner pixlar.',
      galleries: 'Ett galleri tar emot bilder i högst {hours} timmar, sedan blir det offentligt av sig självt.',
      forPrograms: 'Program kan också ladda upp:',
    },
  },

  uploads: {
    heading: 'Dina uppladdningar',
    explanation: 'På den här enheten. Listan finns bara i den här webbläsaren och skickas aldrig.',
    empty: 'Inget här ännu. Det som du laddar upp i den här webbläsaren visas här.',
    needsScript: 'Listan finns i din webbläsare och skapas där: det kräver JavaScript.',
    filter: 'Filtrera efter namn',
    delete: 'Ta bort',
    deleteName: 'Ta bort {name}',
    deleteQuestion: 'Ta bort {name} för gott?',
    deleted: '{name} är borttagen.',
    deleteFailed: 'Det kunde inte tas bort. Försök igen om ett ögonblick.',
    deleteUnknown: 'Den här tjänsten känner inte igen den privata länken. Posten ligger kvar i listan.',
    forgetAll: 'Glöm alla',
    forgetQuestion:
      'Glöm alla? Bilderna ligger kvar på nätet, och utan sina privata länkar kan ingen ta bort dem. Exportera listan först för att behålla dem.',
    export: 'Exportera',
    import: 'Importera',
    imported: { one: '{count} post har lagts till.', other: '{count} poster har lagts till.' },
    importFailed: 'Den här filen innehåller ingen lista över uppladdningar.',
  },

  embed: {
    button: 'Lägg till bilder',
    explanation: 'Det som du laddar upp här hamnar i din text på {site}.',
    insert: 'Infoga i texten',
    lost: 'Sidan med din text går inte längre att nå. Kopiera koden i stället.',
  },

  report: {
    heading: 'Anmäl olagligt innehåll',
    explanation:
      'Berätta för oss om en bild eller ett galleri som inte borde finnas här. En människa läser varje anmälan. Du behöver inget konto, och vi sparar inget om dig utom det som du skriver här.',
    url: 'Bildens eller galleriets adress',
    urlHint: 'Kopiera den från webbläsarens adressfält.',
    urlWrong:
      'Det här är inte adressen till någon av våra bilder eller gallerier. Kopiera hela adressen från webbläsarens adressfält.',
    notFound:
      'Det finns ingen bild eller något galleri på den här adressen. Det kan redan vara borttaget; om inte, kontrollera adressen.',
    reason: 'Vad är fel med det?',
    reasons: {
      illegal: 'Det bryter mot lagen',
      child: 'Sexuella övergrepp mot barn',
      copyright: 'Det gör intrång i en upphovsrätt',
      personal: 'Det kränker min integritet',
      violence: 'Våld eller hat',
      other: 'Något annat',
    },
    reasonMissing: 'Välj vad som är fel.',
    details: 'Detaljer',
    detailsHint:
      'Vad vi bör veta, till exempel vilken lag som bryts eller vilket verk som är ditt. Högst {maxCharacters} tecken.',
    detailsWrong: 'Säg med högst {maxCharacters} tecken vad som är fel.',
    contact: 'Hur vi når dig (valfritt)',
    contactHint: 'En e-postadress, till exempel, om du vill ha svar.',
    contactWrong: 'Använd högst {maxCharacters} tecken.',
    submit: 'Skicka anmälan',
    tooMany:
      'Du har skickat många anmälningar på kort tid. Den här är inte skickad ännu: försök igen om några minuter.',
    unreadable: 'Vi kunde inte läsa formuläret. Fyll i det en gång till, med en kortare text om den var lång.',
    done: { heading: 'Tack', explanation: 'Din anmälan har kommit fram. Vi tittar på den så snart vi kan.' },
  },
}
