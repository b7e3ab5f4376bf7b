import type { Messages } from '../shell/message-types.ts'

export const pl: Messages = {
  homeLink: 'Do strony głównej',
  skipToContent: 'Przejdź do treści',
  languages: 'Języki',
  reportLink: 'Zgłoś treści niezgodne z prawem',
  menu: 'Język i wygląd',
  theme: 'Wygląd',
  themes: { auto: 'Jak w urządzeniu', light: 'Jasny', dark: 'Ciemny' },
  tools: 'Narzędzia',
  runBy: (name) => `Prowadzi ${name}`,
  legal: { terms: 'Regulamin', privacy: 'Prywatność', imprint: 'Nota prawna', contact: 'Kontakt' },

  adultContent: 'Treści dla dorosłych',
  adultContentInGallery: 'Ta galeria zawiera treści dla dorosłych',
  adultContentMarkedBy: 'Tak oznaczyła osoba, która to przesłała.',
  showAdultPicture: 'Pokaż obraz',
  showAdultPictures: 'Pokaż obrazy',
  untitledGallery: 'Galeria bez nazwy',
  gallery: 'Galeria',

  picture: {
    facts: 'O tym obrazie',
    dimensions: 'Wymiary',
    pixels: (width, height) => `${width} × ${height}`,
    fileSize: 'Rozmiar pliku',
    format: 'Format pliku',
    uploaded: 'Przesłano',
    fullSize: 'Pełny rozmiar',
    openOriginal: 'Otwórz oryginał',
    download: 'Pobierz',
    positionIn: (position, count) => `${position} z ${count} w galerii`,
    neighbours: 'Obrazy z tej galerii',
    previous: 'Poprzedni obraz',
    next: 'Następny obraz',
  },

  viewer: {
    title: 'Obraz',
    slideshow: 'Pokaz slajdów',
    close: 'Zamknij',
  },

  codes: {
    heading: 'Udostępnij',
    link: 'Link',
    links: 'Linki',
    ofAllPictures: 'Kody wszystkich obrazów',
    page: 'Strona',
    file: 'Plik',
    codes: 'Kody',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatura z linkiem',
    full: 'Cały obraz',
    copy: 'Kopiuj',
    copied: 'Skopiowano',
    copyFailed: 'Naciśnij Ctrl+C, aby skopiować',
    copyOf: (what) => `Kopiuj: ${what}`,
  },

  imageCount: {
    one: '{count} obraz',
    few: '{count} obrazy',
    many: '{count} obrazów',
    other: '{count} obrazu',
  },
  pageOf: (page, pageCount) => `Strona ${page} z ${pageCount}`,
  downloadAll: 'Pobierz wszystko',
  downloadPart: (part, parts) => `Pobierz część ${part} z ${parts}`,
  pages: 'Strony',
  previousPage: 'Poprzednia strona',
  nextPage: 'Następna strona',

  managed: {
    image: {
      heading: 'Zarządzaj obrazem',
      explanation: 'Każdy, kto ma adres tej strony, może usunąć obraz. Zachowaj ten adres dla siebie.',
      deleteHeading: 'Usuń obraz',
      deleteWarning: 'Obraz, jego strona i miniatura znikną na zawsze. Tego nie można cofnąć.',
      deleteButton: 'Usuń obraz',
      deleted: {
        heading: 'Obraz został usunięty',
        explanation: 'Od teraz informuje o tym jego strona. Ten adres nie jest już potrzebny.',
      },
    },
    gallery: {
      heading: 'Zarządzaj galerią',
      explanation:
        'Każdy, kto ma adres tej strony, może zmienić nazwę galerii lub ją usunąć. Zachowaj ten adres dla siebie.',
      deleteHeading: 'Usuń galerię',
      deleteWarning: 'Galeria zniknie na zawsze, a z nią wszystkie jej obrazy. Tego nie można cofnąć.',
      deleteButton: 'Usuń galerię i jej obrazy',
      deleted: {
        heading: 'Galeria została usunięta',
        explanation: 'Usunięto także wszystkie jej obrazy. Ten adres nie jest już potrzebny.',
      },
    },
  },
  publicPage: 'Strona publiczna',
  rename: 'Zmień nazwę galerii',
  nameLabel: 'Nazwa',
  nameHint: (maxCharacters) =>
    `Do ${maxCharacters} znaków, bez emoji oraz bez < i >. Nazwa może być pusta. Adres się nie zmieni.`,
  renameButton: 'Zmień nazwę',
  renamed: 'Galeria ma nową nazwę.',
  invalidName: (maxCharacters) =>
    `Tej nazwy nie można użyć: do ${maxCharacters} znaków, bez emoji, podziałów wiersza i znaków sterujących, bez < i >.`,
  confirmDelete: 'Tak, usuń na zawsze',
  confirmMissing: 'Nic jeszcze nie zostało usunięte. Najpierw zaznacz pole, a potem usuń.',

  missingPicture: {
    heading: 'Nie ma tu obrazu',
    explanation: 'Został usunięty, nie jest jeszcze publiczny albo adres jest błędny.',
  },
  missingGallery: {
    heading: 'Nie ma tu galerii',
    explanation: 'Została usunięta, nie jest jeszcze publiczna albo adres jest błędny.',
  },
  notFound: { heading: 'Nic tu nie ma', explanation: 'Sprawdź adres.' },
  gone: {
    heading: 'Już usunięto',
    explanation: 'To, czym zarządzano pod tym adresem, zostało usunięte. Adres nie jest już potrzebny.',
  },
  limitReached: {
    heading: 'To było dużo naraz',
    explanation:
      'W ciągu ostatniej godziny z Twojej sieci przyszło więcej, niż ten serwis przyjmuje. Spróbuj ponownie za jakiś czas.',
  },
  foreignForm: {
    heading: 'Ten formularz przyszedł z innej strony',
    explanation: 'Nic nie zostało zrobione. Otwórz stronę tutaj i wyślij jej własny formularz.',
  },
  badRequest: {
    heading: 'Nie udało się',
    explanation: 'Formularz nie dotarł w całości. Wróć i spróbuj ponownie.',
  },
  error: { heading: 'Coś poszło nie tak', explanation: 'Błąd jest po naszej stronie. Spróbuj ponownie za chwilę.' },
  requestId: 'Numer tego żądania na wypadek zgłoszenia błędu',

  upload: {
    heading: 'Dom dla twoich obrazów',
    summary: 'Udostępnij obraz za pomocą linku. Bez konta, bez reklam, bez śledzenia.',
    choose: 'Wybierz obrazy',
    chooseFolder: 'Wybierz folder',
    takePhoto: 'Zrób zdjęcie',
    dropOrPaste: 'lub upuść je w dowolnym miejscu albo wklej',
    dropHere: 'Upuść obrazy w dowolnym miejscu',
    accepted: (formats, size) => `${formats}, każdy do ${size}`,
    options: 'Opcje',
    adult: 'Treści dla dorosłych',
    adultHint: 'Obrazy będą zasłonięte, dopóki ktoś ich nie odsłoni.',
    strip: 'Usuń położenie i dane aparatu',
    stripHint: 'W Twojej przeglądarce, zanim cokolwiek zostanie wysłane. Sam obraz się nie zmienia.',
    stripPlain: 'Usuń położenie i dane aparatu oraz zmniejsz duże zdjęcia',
    hasLocation: 'Zawiera położenie',
    losesLocation: 'Położenie zostanie usunięte',
    smaller: 'Mniejsze pliki',
    smallerHint: 'Duże zdjęcia są zmniejszane, a metadane, takie jak miejsce, usuwane.',
    previewSize: 'Rozmiar podglądu',
    previewSizes: { small: 'Mały', medium: 'Średni', large: 'Duży' },
    privateLinks: 'Prywatne linki do usuwania obrazów',
    privateLinksHint: 'Są pokazywane tylko raz, zaraz po przesłaniu.',
    oneGallery: 'Jedna galeria dla wszystkich',
    galleryName: 'Nazwa galerii',
    galleryHint: 'Może pozostać pusta.',
    start: {
      one: 'Prześlij {count} obraz',
      few: 'Prześlij {count} obrazy',
      many: 'Prześlij {count} obrazów',
      other: 'Prześlij {count} obrazu',
    },
    startOne: 'Prześlij',
    addMore: 'Dodaj więcej',
    clear: 'Zacznij od nowa',

    files: 'Twoje obrazy',
    waiting: 'Oczekuje',
    sending: (percent) => `Wysyłanie, ${percent}`,
    processing: 'Odebrano, trwa przetwarzanie',
    done: 'Gotowe',
    remove: (name) => `Usuń z listy: ${name}`,
    retry: (name) => `Spróbuj ponownie: ${name}`,
    retryButton: 'Spróbuj ponownie',
    retryAll: 'Ponów wszystkie nieudane',
    finishAnyway: 'Zakończ mimo to',
    pause: 'Wstrzymaj',
    stopped: 'Wstrzymano',
    resume: 'Kontynuuj',
    offline: 'Brak połączenia. Wysyłanie ruszy samo, gdy ono wróci.',
    held: 'Czeka na połączenie',

    progress: (done, total) => `Przesłano ${done} z ${total}`,
    allDone: {
      one: 'Przesłano {count} obraz.',
      few: 'Przesłano wszystkie {count} obrazy.',
      many: 'Przesłano wszystkie {count} obrazów.',
      other: 'Przesłano {count} obrazu.',
    },
    someFailed: {
      one: 'Nie udało się przesłać {count} obrazu.',
      few: 'Nie udało się przesłać {count} obrazów.',
      many: 'Nie udało się przesłać {count} obrazów.',
      other: 'Nie udało się przesłać {count} obrazu.',
    },
    paused: {
      limited: (time) =>
        `Z Twojej sieci przyszło więcej, niż ten serwis przyjmuje naraz. Wysyłanie ruszy samo o ${time}.`,
      busy: (time) => `Serwis jest zajęty. Wysyłanie ruszy samo o ${time}.`,
    },

    results: 'Gotowe do udostępnienia',
    galleryReady: 'Twoja galeria',
    codesShow: 'Kody pokazują',
    allPictures: 'Wszystkie obrazy',
    openPage: 'Otwórz stronę',
    another: 'Prześlij więcej',
    saved: (before, after, percent) => `Z ${before} do ${after}, o ${percent} mniej`,
    notSmaller: 'Bardziej zmniejszyć się nie dało',
    resized: (width, height) => `zmniejszono do ${width} × ${height} pikseli`,

    managementHeading: 'Prywatne linki',
    managementWarning:
      'Zapisz te linki teraz: nie zostaną już nigdy pokazane. Każdy, kto ma taki link, może usunąć obraz lub galerię, do których on prowadzi.',

    share: 'Udostępnij…',
    open: 'Otwórz',
    copyLink: 'Kopiuj link',
    qrCode: 'Kod QR',
    remembered: 'Zapamiętano na tym urządzeniu',
    dontRemember: 'Nie pamiętaj',
    remember: 'Zapamiętaj na tym urządzeniu',
    managementHint: 'Kto ma taki link, może usunąć to, do czego on prowadzi. Zachowaj go dla siebie.',

    startingOver: {
      sent: {
        one: '{count} obraz jest już przesłany.',
        few: '{count} obrazy są już przesłane.',
        many: '{count} obrazów jest już przesłanych.',
        other: '{count} obrazu jest już przesłane.',
      },
      question: 'Co zrobić z tym, co wysłano?',
      delete: 'Usuń to, co wysłano',
      keep: 'Zachowaj',
      cancel: 'Anuluj',
      deleted: {
        one: 'Usunięto {count} obraz.',
        few: 'Usunięto {count} obrazy.',
        many: 'Usunięto {count} obrazów.',
        other: 'Usunięto {count} obrazu.',
      },
      failed: {
        one: 'Nie udało się usunąć {count} obrazu. Spróbuj ponownie.',
        few: 'Nie udało się usunąć {count} obrazów. Spróbuj ponownie.',
        many: 'Nie udało się usunąć {count} obrazów. Spróbuj ponownie.',
        other: 'Nie udało się usunąć {count} obrazu. Spróbuj ponownie.',
      },
    },

    shared: {
      heading: 'Udostępnione z innej aplikacji',
      add: 'Dodaj',
      discard: 'Odrzuć',
      left: {
        one: 'Pominięto {count} plik.',
        few: 'Pominięto {count} pliki.',
        many: 'Pominięto {count} plików.',
        other: 'Pominięto {count} pliku.',
      },
      limit: (files, size) =>
        `Jednorazowo można udostępnić do ${files} plików i ${size}, jeśli na urządzeniu jest miejsce.`,
    },

    unfit: {
      heading: {
        one: '{count} pliku nie można przesłać w tej postaci',
        few: '{count} plików nie można przesłać w tej postaci',
        many: '{count} plików nie można przesłać w takiej postaci',
        other: '{count} pliku nie można przesłać w takiej postaci',
      },
      tooBig: (size, megapixels) => `Ponad ${size} lub ${megapixels} megapikseli.`,
      makeSmaller: 'Zmniejsz',
      convertible: 'Tego formatu nie można przesłać, ale Twoja przeglądarka może go zamienić.',
      convert: 'Zamień na JPEG',
      unreadable:
        'Tego formatu nie można przesłać, a Twoja przeglądarka nie może go zamienić. Najpierw zapisz obraz jako JPEG.',
      curing: 'Chwileczkę…',
      failed: (name) => `Nie udało się odczytać ${name} w tej przeglądarce.`,
      close: 'Zamknij',
      fetching: 'Trwa pobieranie obrazu.',
      fetchFailed:
        'Serwer tego adresu nie udostępnia swoich obrazów innym stronom. Zapisz obraz, a potem wybierz go tutaj.',
    },

    moved: (name, position, total) => `${name} jest teraz ${position} z ${total}`,
    orderHint: 'Przeciągnij obrazy, aby je uporządkować, lub naciśnij Alt i strzałkę.',

    errors: {
      network: 'Połączenie zostało przerwane. Spróbuj ponownie.',
      tooLarge: (size) => `Plik jest większy niż ${size}.`,
      notAPicture: (formats) => `Nie rozpoznajemy tego obrazu. Przyjmujemy ${formats}.`,
      damaged: 'Obraz jest uszkodzony albo ma zbyt wiele pikseli.',
      galleryGone: 'Ta galeria nie przyjmuje już obrazów. Zacznij nową.',
      missing: 'Najpierw wybierz obraz.',
      notStripped:
        'Nie udało się usunąć położenia i danych aparatu, więc obraz nie został wysłany. Aby wysłać go bez zmian, zacznij od nowa bez tej opcji.',
      server: 'Błąd jest po naszej stronie. Spróbuj ponownie za chwilę.',
      galleryName: 'Tej nazwy galerii nie można użyć: do 255 znaków, bez emoji oraz bez < i >.',
    },

    limits: {
      heading: 'Warto wiedzieć',
      pixelCount: (megapixels) => `Obrazy mogą mieć do ${megapixels} mln pikseli.`,
      galleries: (hours) => `Galeria przyjmuje obrazy do ${hours} godzin, potem sama staje się publiczna.`,
      forPrograms: 'Programy też mogą przesyłać obrazy:',
    },
  },

  uploads: {
    heading: 'Twoje przesłane pliki',
    explanation: 'Na tym urządzeniu. Lista jest tylko w tej przeglądarce i nigdy nie jest wysyłana.',
    empty: 'Jeszcze nic tu nie ma. Pojawi się tu to, co prześlesz w tej przeglądarce.',
    needsScript: 'Lista jest przechowywana i tworzona w przeglądarce, a do tego potrzeba JavaScriptu.',
    filter: 'Filtruj według nazwy',
    delete: 'Usuń',
    deleteName: (name) => `Usuń ${name}`,
    deleteQuestion: (name) => `Usunąć ${name} na zawsze?`,
    deleted: (name) => `Usunięto ${name}.`,
    deleteFailed: 'Nie udało się usunąć. Spróbuj ponownie za chwilę.',
    deleteUnknown: 'Ta usługa nie rozpoznaje prywatnego linku. Wpis pozostaje na liście.',
    forgetAll: 'Zapomnij wszystko',
    forgetQuestion:
      'Zapomnieć wszystko? Obrazy pozostaną w sieci, a bez prywatnych linków nikt ich nie usunie. Aby je zachować, najpierw wyeksportuj listę.',
    export: 'Eksportuj',
    import: 'Importuj',
    imported: {
      one: 'Dodano {count} wpis.',
      few: 'Dodano {count} wpisy.',
      many: 'Dodano {count} wpisów.',
      other: 'Dodano {count} wpisu.',
    },
    importFailed: 'Ten plik nie zawiera listy przesłanych plików.',
  },

  embed: {
    button: 'Dodaj obrazy',
    explanation: (site) => `To, co tu prześlesz, trafi do twojego tekstu na ${site}.`,
    insert: 'Wstaw do tekstu',
    lost: 'Strona z twoim tekstem nie jest już dostępna. Zamiast tego skopiuj kod.',
  },

  report: {
    heading: 'Zgłoś treści niezgodne z prawem',
    explanation:
      'Zgłoś nam obraz lub galerię, których nie powinno tu być. Każde zgłoszenie czyta człowiek. Nie potrzebujesz konta, a my przechowujemy o tobie tylko to, co tu napiszesz.',
    url: 'Adres obrazu lub galerii',
    urlHint: 'Skopiuj go z paska adresu przeglądarki.',
    urlWrong: 'To nie jest adres naszego obrazu ani galerii. Skopiuj cały adres z paska adresu przeglądarki.',
    notFound:
      'Pod tym adresem nie ma obrazu ani galerii. Być może treść została już usunięta; jeśli nie, sprawdź adres.',
    reason: 'Co jest nie tak?',
    reasons: {
      illegal: 'Narusza prawo',
      child: 'Seksualne wykorzystywanie dziecka',
      copyright: 'Narusza prawa autorskie',
      personal: 'Narusza moją prywatność',
      violence: 'Przemoc lub nienawiść',
      other: 'Coś innego',
    },
    reasonMissing: 'Wybierz, co jest nie tak.',
    details: 'Szczegóły',
    detailsHint: (maxCharacters) =>
      `Co powinniśmy wiedzieć, na przykład jakie prawo jest naruszane albo które dzieło należy do ciebie. Do ${maxCharacters} znaków.`,
    detailsWrong: (maxCharacters) => `Napisz, co jest nie tak, używając do ${maxCharacters} znaków.`,
    contact: 'Jak się z tobą skontaktować (opcjonalnie)',
    contactHint: 'Na przykład adres e-mail, jeśli chcesz otrzymać odpowiedź.',
    contactWrong: (maxCharacters) => `Użyj najwyżej ${maxCharacters} znaków.`,
    submit: 'Wyślij zgłoszenie',
    tooMany:
      'W krótkim czasie wysłano wiele zgłoszeń. To zgłoszenie nie zostało jeszcze wysłane: spróbuj ponownie za kilka minut.',
    unreadable:
      'Nie udało nam się odczytać tego formularza. Wypełnij go jeszcze raz, a jeśli tekst był długi, skróć go.',
    done: { heading: 'Dziękujemy', explanation: 'Zgłoszenie dotarło. Zajmiemy się nim najszybciej, jak to możliwe.' },
  },
}
