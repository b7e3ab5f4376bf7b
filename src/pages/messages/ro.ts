import type { Messages } from '../shell/message-types.ts'

export const ro: Messages = {
  homeLink: 'La prima pagină',
  skipToContent: 'Salt la conținut',
  languages: 'Limbi',
  reportLink: 'Raportează conținut ilegal',
  menu: 'Limbă și aspect',
  theme: 'Aspect',
  themes: { auto: 'Ca dispozitivul', light: 'Luminos', dark: 'Întunecat' },
  tools: 'Instrumente',
  runBy: (name) => `Administrat de ${name}`,
  legal: {
    terms: 'Condiții de utilizare',
    privacy: 'Confidențialitate',
    imprint: 'Informații legale',
    contact: 'Contact',
  },

  adultContent: 'Conținut pentru adulți',
  adultContentInGallery: 'Această galerie are conținut pentru adulți',
  adultContentMarkedBy: 'Marcat astfel de cine l-a încărcat.',
  showAdultPicture: 'Arată imaginea',
  showAdultPictures: 'Arată imaginile',
  untitledGallery: 'Galerie fără titlu',
  gallery: 'Galerie',

  picture: {
    facts: 'Despre această imagine',
    dimensions: 'Dimensiuni',
    pixels: (width, height) => `${width} × ${height}`,
    fileSize: 'Mărimea fișierului',
    format: 'Formatul',
    uploaded: 'Încărcată',
    fullSize: 'Mărime completă',
    openOriginal: 'Deschide originalul',
    download: 'Descarcă',
    positionIn: (position, count) => `${position} din ${count} în`,
    neighbours: 'Imaginile acestei galerii',
    previous: 'Imaginea anterioară',
    next: 'Imaginea următoare',
  },

  viewer: {
    title: 'Imagine',
    slideshow: 'Prezentare',
    close: 'Închide',
  },

  codes: {
    heading: 'Distribuie',
    link: 'Legătură',
    links: 'Legături',
    ofAllPictures: 'Codurile tuturor imaginilor',
    page: 'Pagină',
    file: 'Fișier',
    codes: 'Coduri',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatură cu legătură',
    full: 'Imaginea întreagă',
    copy: 'Copiază',
    copied: 'Copiat',
    copyFailed: 'Apasă Ctrl+C pentru a copia',
    copyOf: (what) => `Copiază: ${what}`,
  },

  imageCount: { one: '{count} imagine', few: '{count} imagini', other: '{count} de imagini' },
  pageOf: (page, pageCount) => `Pagina ${page} din ${pageCount}`,
  downloadAll: 'Descarcă tot',
  downloadPart: (part, parts) => `Descarcă partea ${part} din ${parts}`,
  pages: 'Pagini',
  previousPage: 'Pagina anterioară',
  nextPage: 'Pagina următoare',

  managed: {
    image: {
      heading: 'Administrează-ți imaginea',
      explanation: 'Oricine are adresa acestei pagini poate șterge imaginea. Păstreaz-o pentru tine.',
      deleteHeading: 'Șterge imaginea',
      deleteWarning: 'Imaginea, pagina și miniatura ei dispar definitiv. Nu se poate reveni.',
      deleteButton: 'Șterge imaginea',
      deleted: {
        heading: 'Imaginea este ștearsă',
        explanation: 'Pagina ei spune asta de acum înainte. Această adresă nu mai folosește la nimic.',
      },
    },
    gallery: {
      heading: 'Administrează-ți galeria',
      explanation: 'Oricine are adresa acestei pagini poate redenumi sau șterge galeria. Păstreaz-o pentru tine.',
      deleteHeading: 'Șterge galeria',
      deleteWarning: 'Galeria dispare definitiv, la fel și fiecare imagine din ea. Nu se poate reveni.',
      deleteButton: 'Șterge galeria și imaginile ei',
      deleted: {
        heading: 'Galeria este ștearsă',
        explanation: 'Toate imaginile ei sunt și ele șterse. Această adresă nu mai folosește la nimic.',
      },
    },
  },
  publicPage: 'Pagina publică',
  rename: 'Redenumește galeria',
  nameLabel: 'Nume',
  nameHint: (maxCharacters) =>
    `Cel mult ${maxCharacters} caractere, fără emoji și fără < sau >. Poate rămâne gol. Adresa rămâne aceeași.`,
  renameButton: 'Redenumește',
  renamed: 'Galeria are noul nume.',
  invalidName: (maxCharacters) =>
    `Acest nume nu poate fi folosit: cel mult ${maxCharacters} caractere, fără emoji, fără rânduri noi sau caractere de control, fără < sau >.`,
  confirmDelete: 'Da, șterge definitiv',
  confirmMissing: 'Încă nu s-a șters nimic. Bifează mai întâi caseta, apoi șterge.',

  missingPicture: {
    heading: 'Nicio imagine aici',
    explanation: 'A fost ștearsă, nu este încă publică sau adresa este greșită.',
  },
  missingGallery: {
    heading: 'Nicio galerie aici',
    explanation: 'A fost ștearsă, nu este încă publică sau adresa este greșită.',
  },
  notFound: { heading: 'Aici nu este nimic', explanation: 'Te rugăm să verifici adresa.' },
  gone: {
    heading: 'Deja șters',
    explanation: 'Ceea ce administra această adresă a fost șters. Nu mai folosește la nimic.',
  },
  limitReached: {
    heading: 'A fost mult deodată',
    explanation:
      'Din rețeaua ta a venit în ultima oră mai mult decât primește acest serviciu. Te rugăm să încerci mai târziu.',
  },
  foreignForm: {
    heading: 'Acest formular vine de pe alt site',
    explanation: 'Nu s-a făcut nimic. Te rugăm să deschizi pagina aici și să trimiți formularul ei.',
  },
  badRequest: {
    heading: 'Nu a reușit',
    explanation: 'Formularul nu a ajuns întreg. Te rugăm să te întorci și să încerci din nou.',
  },
  error: {
    heading: 'Ceva nu a mers bine',
    explanation: 'Greșeala este a noastră. Te rugăm să încerci din nou peste puțin timp.',
  },
  requestId: 'Numărul acestei cereri, dacă o raportezi',

  upload: {
    heading: 'O casă pentru imaginile tale',
    summary: 'Distribuie o imagine prin legătura ei. Fără cont, fără reclame, fără urmărire.',
    choose: 'Alege imagini',
    chooseFolder: 'Un dosar',
    takePhoto: 'Fă o fotografie',
    dropOrPaste: 'sau trage-le oriunde, sau lipește una',
    dropHere: 'Lasă imaginile oriunde',
    accepted: (formats, size) => `${formats}, fiecare până la ${size}`,
    options: 'Opțiuni',
    adult: 'Conținut pentru adulți',
    adultHint: 'Imaginile stau sub un văl până când cineva îl ridică.',
    strip: 'Elimină locul și datele camerei',
    stripHint: 'În browserul tău, înainte să se trimită ceva. Imaginea în sine rămâne cum este.',
    stripPlain: 'Elimină locul și datele camerei și micșorează fotografiile mari',
    hasLocation: 'Conține un loc',
    losesLocation: 'Locul se elimină',
    smaller: 'Fișiere mai mici',
    smallerHint: 'Fotografiile mari se micșorează, iar metadatele precum locul se elimină.',
    previewSize: 'Mărimea previzualizării',
    previewSizes: { small: 'Mică', medium: 'Medie', large: 'Mare' },
    privateLinks: 'Legături private pentru a le șterge mai târziu',
    privateLinksHint: 'Se arată o singură dată, imediat după încărcare.',
    oneGallery: 'O singură galerie pentru toate',
    galleryName: 'Numele galeriei',
    galleryHint: 'Poate rămâne gol.',
    start: { one: 'Încarcă {count} imagine', few: 'Încarcă {count} imagini', other: 'Încarcă {count} de imagini' },
    startOne: 'Încarcă',
    addMore: 'Adaugă altele',
    clear: 'Ia-o de la capăt',

    files: 'Imaginile tale',
    waiting: 'Așteaptă',
    sending: (percent) => `Se trimite, ${percent}`,
    processing: 'A ajuns, se prelucrează',
    done: 'Gata',
    remove: (name) => `Elimină ${name}`,
    retry: (name) => `Încearcă din nou ${name}`,
    retryButton: 'Încearcă din nou',
    retryAll: 'Încearcă din nou tot ce a eșuat',
    finishAnyway: 'Încheie oricum',
    pause: 'Pauză',
    stopped: 'În pauză',
    resume: 'Continuă',
    offline: 'Fără conexiune. Încărcarea continuă singură când revine.',
    held: 'Așteaptă conexiunea',

    progress: (done, total) => `${done} din ${total} încărcate`,
    allDone: {
      one: '{count} imagine este încărcată.',
      few: 'Toate cele {count} imagini sunt încărcate.',
      other: 'Toate cele {count} de imagini sunt încărcate.',
    },
    someFailed: {
      one: '{count} imagine nu a putut fi încărcată.',
      few: '{count} imagini nu au putut fi încărcate.',
      other: '{count} de imagini nu au putut fi încărcate.',
    },
    paused: {
      limited: (time) =>
        `Din rețeaua ta a venit mai mult decât primește acest serviciu deodată. Continuă singur la ${time}.`,
      busy: (time) => `Serviciul este ocupat. Continuă singur la ${time}.`,
    },

    results: 'Gata de distribuit',
    galleryReady: 'Galeria ta',
    codesShow: 'Codurile arată',
    allPictures: 'Toate imaginile',
    openPage: 'Deschide pagina',
    another: 'Încarcă altele',
    saved: (before, after, percent) => `${before} a devenit ${after}, cu ${percent} mai puțin`,
    notSmaller: 'Nu se putea mai mică',
    resized: (width, height) => `adusă la ${width} × ${height} pixeli`,

    managementHeading: 'Legături private',
    managementWarning:
      'Salvează aceste legături acum: nu se mai arată niciodată. Oricine are una poate șterge lucrul la care duce.',

    share: 'Distribuie …',
    open: 'Deschide',
    copyLink: 'Copiază legătura',
    qrCode: 'Cod QR',
    remembered: 'Ținut minte pe acest dispozitiv',
    dontRemember: 'Nu ține minte',
    remember: 'Ține minte pe acest dispozitiv',
    managementHint: 'Oricine are o astfel de legătură poate șterge lucrul la care duce. Păstreaz-o pentru tine.',

    startingOver: {
      sent: {
        one: '{count} imagine este deja încărcată.',
        few: '{count} imagini sunt deja încărcate.',
        other: '{count} de imagini sunt deja încărcate.',
      },
      question: 'Ce facem cu ce s-a trimis?',
      delete: 'Șterge ce s-a trimis',
      keep: 'Păstrează',
      cancel: 'Renunță',
      deleted: {
        one: '{count} imagine a fost ștearsă.',
        few: '{count} imagini au fost șterse.',
        other: '{count} de imagini au fost șterse.',
      },
      failed: {
        one: '{count} imagine nu a putut fi ștearsă. Te rugăm să încerci din nou.',
        few: '{count} imagini nu au putut fi șterse. Te rugăm să încerci din nou.',
        other: '{count} de imagini nu au putut fi șterse. Te rugăm să încerci din nou.',
      },
    },

    shared: {
      heading: 'Distribuite din altă aplicație',
      add: 'Adaugă',
      discard: 'Renunță',
      left: {
        one: '{count} fișier a fost lăsat deoparte.',
        few: '{count} fișiere au fost lăsate deoparte.',
        other: '{count} de fișiere au fost lăsate deoparte.',
      },
      limit: (files, size) =>
        `Se pot distribui cel mult ${files} de fișiere și ${size} odată, dacă dispozitivul are loc.`,
    },

    unfit: {
      heading: {
        one: '{count} fișier nu poate fi încărcat așa cum este',
        few: '{count} fișiere nu pot fi încărcate așa cum sunt',
        other: '{count} de fișiere nu pot fi încărcate așa cum sunt',
      },
      tooBig: (size, megapixels) => `Mai mare de ${size} sau de ${megapixels} megapixeli.`,
      makeSmaller: 'Micșorează',
      convertible: 'Acest format nu poate fi încărcat, dar browserul tău îl poate converti.',
      convert: 'Convertește în JPEG',
      unreadable:
        'Acest format nu poate fi încărcat, iar browserul tău nu îl poate converti. Salvează-l mai întâi ca JPEG.',
      curing: 'O clipă …',
      failed: (name) => `${name} nu a putut fi citit în acest browser.`,
      close: 'Închide',
      fetching: 'Imaginea se descarcă.',
      fetchFailed: 'Serverul acestei adrese nu își dă imaginile altor site-uri. Salvează imaginea, apoi alege-o aici.',
    },

    moved: (name, position, total) => `${name} este acum ${position} din ${total}`,
    orderHint: 'Trage imaginile în ordine sau apasă Alt și o săgeată.',

    errors: {
      network: 'Conexiunea s-a întrerupt. Te rugăm să încerci din nou.',
      tooLarge: (size) => `Fișierul este mai mare de ${size}.`,
      notAPicture: (formats) => `Nu este o imagine pe care o cunoaștem. Primim ${formats}.`,
      damaged: 'Imaginea este deteriorată sau are prea mulți pixeli.',
      galleryGone: 'Galeria nu mai primește imagini. Începe una nouă.',
      missing: 'Te rugăm să alegi mai întâi o imagine.',
      notStripped:
        'Locul și datele camerei nu au putut fi eliminate, așa că nu s-a trimis. Ca să o trimiți așa cum este, ia-o de la capăt fără această opțiune.',
      server: 'Greșeala este a noastră. Te rugăm să încerci din nou peste puțin timp.',
      galleryName: 'Numele galeriei nu poate fi folosit: cel mult 255 de caractere, fără emoji, fără < sau >.',
    },

    limits: {
      heading: 'Bine de știut',
      pixelCount: (megapixels) => `Imaginile pot avea până la ${megapixels} de milioane de pixeli.`,
      galleries: (hours) => `O galerie primește imagini cel mult ${hours} de ore, apoi devine publică de la sine.`,
      forPrograms: 'Pot încărca și programele:',
    },
  },

  uploads: {
    heading: 'Încărcările tale',
    explanation: 'Pe acest dispozitiv. Lista se păstrează doar în acest browser și nu se trimite niciodată.',
    empty: 'Încă nimic aici. Ce încarci în acest browser apare aici.',
    needsScript: 'Lista se păstrează în browserul tău și se face acolo: este nevoie de JavaScript.',
    filter: 'Filtrează după nume',
    delete: 'Șterge',
    deleteName: (name) => `Șterge ${name}`,
    deleteQuestion: (name) => `Ștergi definitiv ${name}?`,
    deleted: (name) => `${name} este șters.`,
    deleteFailed: 'Nu s-a putut șterge. Te rugăm să încerci din nou peste puțin timp.',
    deleteUnknown: 'Acest serviciu nu recunoaște linkul privat. Elementul rămâne în listă.',
    forgetAll: 'Uită tot',
    forgetQuestion:
      'Uiți tot? Imaginile rămân online, iar fără legăturile lor private nimeni nu le poate șterge. Exportă mai întâi lista ca să le păstrezi.',
    export: 'Exportă',
    import: 'Importă',
    imported: {
      one: '{count} intrare adăugată.',
      few: '{count} intrări adăugate.',
      other: '{count} de intrări adăugate.',
    },
    importFailed: 'Acest fișier nu conține o listă de încărcări.',
  },

  embed: {
    button: 'Adaugă imagini',
    explanation: (site) => `Ce încarci aici intră în textul tău de pe ${site}.`,
    insert: 'Inserează în text',
    lost: 'Pagina cu textul tău nu mai poate fi accesată. Copiază în schimb codul.',
  },

  report: {
    heading: 'Raportează conținut ilegal',
    explanation:
      'Spune-ne despre o imagine sau o galerie care nu ar trebui să fie aici. Fiecare raport este citit de un om. Nu ai nevoie de cont și nu păstrăm despre tine nimic în afară de ce scrii aici.',
    url: 'Adresa imaginii sau a galeriei',
    urlHint: 'Copiaz-o din bara de adrese a browserului.',
    urlWrong:
      'Aceasta nu este adresa unei imagini sau galerii de-ale noastre. Te rugăm să copiezi adresa întreagă din bara de adrese a browserului.',
    notFound:
      'La această adresă nu este nicio imagine sau galerie. Poate a fost deja ștearsă; dacă nu, te rugăm să verifici adresa.',
    reason: 'Ce este în neregulă?',
    reasons: {
      illegal: 'Încalcă legea',
      child: 'Abuz sexual asupra unui copil',
      copyright: 'Încalcă un drept de autor',
      personal: 'Îmi încalcă viața privată',
      violence: 'Violență sau ură',
      other: 'Altceva',
    },
    reasonMissing: 'Te rugăm să alegi ce este în neregulă.',
    details: 'Detalii',
    detailsHint: (maxCharacters) =>
      `Ce ar trebui să știm, cum ar fi legea încălcată sau opera care îți aparține. Cel mult ${maxCharacters} caractere.`,
    detailsWrong: (maxCharacters) => `Te rugăm să spui în cel mult ${maxCharacters} caractere ce este în neregulă.`,
    contact: 'Cum te putem contacta (opțional)',
    contactHint: 'De exemplu o adresă de e-mail, dacă dorești un răspuns.',
    contactWrong: (maxCharacters) => `Te rugăm să folosești cel mult ${maxCharacters} caractere.`,
    submit: 'Trimite raportul',
    tooMany:
      'Ai trimis multe rapoarte în scurt timp. Acesta nu este trimis încă: te rugăm să încerci din nou peste câteva minute.',
    unreadable:
      'Nu am putut citi acest formular. Te rugăm să îl completezi încă o dată, cu un text mai scurt dacă era lung.',
    done: { heading: 'Mulțumim', explanation: 'Raportul tău a ajuns. Îl privim cât de curând putem.' },
  },
}
