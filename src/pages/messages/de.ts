import type { Translation } from './types.ts'

export const de: Translation = {
  homeLink: 'Zur Startseite',
  skipToContent: 'Zum Inhalt springen',
  languages: 'Sprachen',
  reportLink: 'Rechtswidrige Inhalte melden',
  menu: 'Sprache und Aussehen',
  theme: 'Aussehen',
  themes: { auto: 'Wie System', light: 'Hell', dark: 'Dunkel' },
  tools: 'Tools',
  runBy: 'Betrieben von {name}',
  legal: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutz', imprint: 'Impressum', contact: 'Kontakt' },

  adultContent: 'Inhalte für Erwachsene',
  adultContentInGallery: 'Diese Galerie enthält Inhalte für Erwachsene',
  adultContentMarkedBy: 'Beim Hochladen als Inhalt für Erwachsene gekennzeichnet.',
  showAdultImage: 'Bild anzeigen',
  showAdultImages: 'Bilder anzeigen',
  untitledGallery: 'Galerie ohne Titel',
  gallery: 'Galerie',

  imagePage: {
    facts: 'Über dieses Bild',
    dimensions: 'Abmessungen',
    pixels: '{width} × {height}',
    fileSize: 'Dateigröße',
    format: 'Format',
    uploaded: 'Hochgeladen',
    fullSize: 'Volle Größe',
    openOriginal: 'Original öffnen',
    download: 'Herunterladen',
    positionIn: '{position} von {count} in {gallery}',
    neighbours: 'Bilder dieser Galerie',
    previous: 'Vorheriges Bild',
    next: 'Nächstes Bild',
  },

  viewer: {
    title: 'Bild',
    slideshow: 'Diashow',
    close: 'Schließen',
  },

  codes: {
    heading: 'Teilen',
    link: 'Link',
    links: 'Links',
    ofAllImages: 'Einbettungscodes aller Bilder',
    page: 'Seite',
    file: 'Datei',
    codes: 'Einbettungscodes',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Vorschaubild mit Link',
    full: 'Bild in voller Größe',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Nicht kopiert',
    copyOf: 'Kopieren: {what}',
  },

  imageCount: { one: '{count} Bild', other: '{count} Bilder' },
  pageOf: 'Seite {page} von {pageCount}',
  downloadAll: 'Alle herunterladen',
  downloadPart: 'Teil {part} von {parts} herunterladen',
  pages: 'Seiten',
  previousPage: 'Vorherige Seite',
  nextPage: 'Nächste Seite',

  managed: {
    image: {
      heading: 'Bild verwalten',
      explanation: 'Wer die Adresse dieser Seite kennt, kann das Bild löschen. Bitte nicht weitergeben.',
      deleteHeading: 'Bild löschen',
      deleteWarning:
        'Das Bild, seine Seite und sein Vorschaubild verschwinden endgültig. Das lässt sich nicht rückgängig machen.',
      deleteButton: 'Bild löschen',
      deleted: {
        heading: 'Das Bild ist gelöscht',
        explanation: 'Seine Seite meldet das von nun an. Diese Adresse wird nicht mehr gebraucht.',
      },
    },
    gallery: {
      heading: 'Galerie verwalten',
      explanation:
        'Wer die Adresse dieser Seite kennt, kann die Galerie umbenennen oder löschen. Bitte nicht weitergeben.',
      deleteHeading: 'Galerie löschen',
      deleteWarning:
        'Die Galerie verschwindet endgültig und mit ihr jedes Bild darin. Das lässt sich nicht rückgängig machen.',
      deleteButton: 'Galerie und alle Bilder löschen',
      deleted: {
        heading: 'Die Galerie ist gelöscht',
        explanation: 'Auch alle ihre Bilder sind gelöscht. Diese Adresse wird nicht mehr gebraucht.',
      },
    },
  },
  publicPage: 'Öffentliche Seite',
  rename: 'Galerie umbenennen',
  nameLabel: 'Name',
  nameHint:
    'Höchstens {maxCharacters} Zeichen, keine Emojis, kein < oder >. Der Name darf leer sein. Die Adresse bleibt gleich.',
  renameButton: 'Umbenennen',
  renamed: 'Die Galerie hat ihren neuen Namen.',
  invalidName: 'Der Name darf höchstens {maxCharacters} Zeichen haben, ohne Emojis, Zeilenumbrüche, < oder >.',
  confirmDelete: 'Ja, endgültig löschen',
  confirmMissing: 'Es wurde noch nichts gelöscht. Bitte zuerst das Kästchen ankreuzen, dann löschen.',

  missingImage: {
    heading: 'Dieses Bild gibt es nicht',
    explanation: 'Es wurde gelöscht, ist noch nicht öffentlich, oder die Adresse stimmt nicht.',
  },
  missingGallery: {
    heading: 'Diese Galerie gibt es nicht',
    explanation: 'Sie wurde gelöscht, ist noch nicht öffentlich, oder die Adresse stimmt nicht.',
  },
  notFound: { heading: 'Hier ist nichts', explanation: 'Bitte die Adresse prüfen.' },
  deletedNotice: {
    heading: 'Schon gelöscht',
    explanation: 'Was über diese Adresse verwaltet wurde, ist gelöscht. Sie wird nicht mehr gebraucht.',
  },
  limitReached: {
    heading: 'Das war viel auf einmal',
    explanation:
      'Aus diesem Netz kam in der letzten Stunde mehr, als dieser Dienst annimmt. Bitte in einer Weile noch einmal versuchen.',
  },
  foreignForm: {
    heading: 'Dieses Formular kam von einer anderen Website',
    explanation: 'Es ist nichts geschehen. Bitte die Seite hier öffnen und ihr eigenes Formular absenden.',
  },
  badRequest: {
    heading: 'Das hat nicht geklappt',
    explanation: 'Das Formular ist nicht vollständig angekommen. Bitte zurückgehen und noch einmal versuchen.',
  },
  error: {
    heading: 'Da ging etwas schief',
    explanation: 'Das Problem liegt bei uns. Bitte gleich noch einmal versuchen.',
  },
  requestId: 'Nummer dieser Anfrage, falls du den Fehler meldest',

  upload: {
    heading: 'Bilder hochladen und teilen',
    summary: 'Bilder per Link teilen. Ohne Konto, ohne Werbung, ohne Tracking.',
    choose: 'Bilder auswählen',
    chooseFolder: 'Ordner auswählen',
    takePhoto: 'Foto aufnehmen',
    dropOrPaste: 'oder hierher ziehen oder aus der Zwischenablage einfügen',
    dropHere: 'Bilder zum Hinzufügen hier ablegen',
    accepted: '{formats}, jeweils bis {size}',
    options: 'Optionen',
    adult: 'Inhalte für Erwachsene',
    adultHint: 'Die Bilder bleiben verdeckt, bis jemand sie anzeigen lässt.',
    strip: 'Standort und Kameradaten entfernen',
    stripHint: 'Vor dem Hochladen in deinem Browser. Das Bild selbst ändert sich nicht.',
    stripPlain: 'Standort und Kameradaten entfernen und große Fotos verkleinern',
    hasLocation: 'Mit Standort',
    losesLocation: 'Ohne Standort',
    smaller: 'Dateien verkleinern',
    smallerHint: 'Verkleinert große Fotos und entfernt Metadaten wie den Standort.',
    previewSize: 'Größe der Vorschaubilder',
    previewSizes: { small: 'Klein', medium: 'Mittel', large: 'Groß' },
    privateLinks: 'Löschlinks erstellen',
    privateLinksHint: 'Werden nur einmal angezeigt, gleich nach dem Hochladen.',
    oneGallery: 'Alle in eine Galerie',
    galleryName: 'Name der Galerie',
    galleryHint: 'Optional',
    start: { one: '{count} Bild hochladen', other: '{count} Bilder hochladen' },
    startOne: 'Hochladen',
    addMore: 'Weitere hinzufügen',
    clear: 'Neu beginnen',

    files: 'Deine Bilder',
    waiting: 'Wartet',
    sending: 'Wird hochgeladen, {percent}',
    processing: 'Wird verarbeitet',
    done: 'Fertig',
    remove: '{name} entfernen',
    retry: '{name} erneut versuchen',
    retryButton: 'Erneut versuchen',
    retryAll: 'Fehlgeschlagene wiederholen',
    finishAnyway: 'Ohne sie veröffentlichen',
    pause: 'Pause',
    stopped: 'Pausiert',
    resume: 'Fortsetzen',
    offline: 'Du bist offline. Sobald du wieder online bist, geht es weiter.',
    held: 'Wartet auf Verbindung',

    progress: '{done} von {total} hochgeladen',
    allDone: { one: '{count} Bild hochgeladen.', other: 'Alle {count} Bilder hochgeladen.' },
    someFailed: {
      one: '{count} Bild konnte nicht hochgeladen werden.',
      other: '{count} Bilder konnten nicht hochgeladen werden.',
    },
    paused: {
      limited: 'Aus deinem Netz wurde das Upload-Limit erreicht. Weiter um {time} Uhr.',
      busy: 'Der Dienst ist gerade ausgelastet. Weiter um {time} Uhr.',
    },

    results: 'Bereit zum Teilen',
    galleryReady: 'Deine Galerie',
    codesShow: 'Im Einbettungscode zeigen',
    allImages: 'Alle Bilder',
    openPage: 'Seite öffnen',
    another: 'Weitere hochladen',
    saved: '{before} → {after} ({percent} kleiner)',
    notSmaller: 'Kleiner geht es nicht',
    resized: 'auf {width} × {height} Pixel verkleinert',

    managementHeading: 'Löschlinks',
    managementWarning:
      'Sichere diese Links jetzt. Sie werden nicht noch einmal angezeigt. Wer einen davon hat, kann das Bild oder die Galerie löschen.',

    share: 'Teilen …',
    open: 'Öffnen',
    copyLink: 'Link kopieren',
    qrCode: 'QR-Code',
    remembered: 'Auf diesem Gerät gespeichert',
    dontRemember: 'Nicht speichern',
    remember: 'Auf diesem Gerät speichern',
    managementHint: 'Wer einen dieser Links hat, kann das Bild oder die Galerie löschen. Bitte nicht weitergeben.',

    startingOver: {
      sent: { one: '{count} Bild ist schon hochgeladen.', other: '{count} Bilder sind schon hochgeladen.' },
      question: 'Hochgeladene Bilder löschen oder behalten?',
      delete: 'Bilder löschen',
      keep: 'Bilder behalten',
      cancel: 'Abbrechen',
      deleted: {
        one: '{count} Bild wurde gelöscht.',
        other: '{count} Bilder wurden gelöscht.',
      },
      failed: {
        one: '{count} Bild konnte nicht gelöscht werden. Bitte noch einmal versuchen.',
        other: '{count} Bilder konnten nicht gelöscht werden. Bitte noch einmal versuchen.',
      },
    },

    shared: {
      heading: 'Aus einer anderen App geteilt',
      add: 'Hinzufügen',
      discard: 'Verwerfen',
      left: { one: '{count} Datei wurde ausgelassen.', other: '{count} Dateien wurden ausgelassen.' },
      limit: 'Auf einmal lassen sich bis zu {files} Dateien und {size} teilen, wenn auf dem Gerät Platz dafür ist.',
      interrupted: 'Das Teilen wurde unterbrochen. Bitte die fehlenden Dateien noch einmal teilen.',
    },

    unfit: {
      heading: {
        one: '{count} Datei lässt sich so nicht hochladen',
        other: '{count} Dateien lassen sich so nicht hochladen',
      },
      tooBig: 'Größer als {size} oder {megapixels} Megapixel.',
      makeSmaller: 'Verkleinern',
      convertible: 'Dieses Format lässt sich nicht hochladen, aber dein Browser kann es umwandeln.',
      convert: 'In JPEG umwandeln',
      unreadable:
        'Dieses Format lässt sich nicht hochladen, und dein Browser kann es nicht umwandeln. Speichere es zuerst als JPEG.',
      curing: 'Einen Moment …',
      failed: '{name} konnte in diesem Browser nicht gelesen werden.',
      close: 'Schließen',
      fetching: 'Das Bild wird geladen …',
      fetchFailed:
        'Diese Website erlaubt nicht, ihre Bilder von hier zu laden. Speichere das Bild und wähle es hier aus.',
    },

    moved: '{name} ist jetzt {position} von {total}',
    orderHint: 'Zum Sortieren ziehen oder Alt und eine Pfeiltaste drücken.',

    errors: {
      network: 'Die Verbindung ist abgebrochen. Bitte noch einmal versuchen.',
      tooLarge: 'Die Datei ist größer als {size}.',
      unsupportedFormat: 'Dieses Format wird nicht unterstützt. Möglich sind {formats}.',
      damaged: 'Das Bild ist beschädigt.',
      tooManyPixels: 'Das Bild hat zu viele Pixel. Bitte verkleinern.',
      blocked: 'Der Betreiber hat dieses Bild gesperrt.',
      galleryClosed: 'Diese Galerie nimmt keine Bilder mehr an. Bitte eine neue beginnen.',
      galleryFull: 'Die Galerie ist voll. Veröffentliche sie und beginne eine neue.',
      notFinalizable: 'Die Galerie ließ sich nicht veröffentlichen. Bitte noch einmal versuchen.',
      missing: 'Bitte zuerst ein Bild auswählen.',
      notStripped:
        'Standort und Kameradaten ließen sich nicht entfernen, darum wurde das Bild nicht hochgeladen. Um es trotzdem hochzuladen, beginne ohne diese Option neu.',
      busy: 'Der Dienst ist gerade ausgelastet. Bitte gleich noch einmal versuchen.',
      slow: 'Die Verbindung war zu langsam. Bitte noch einmal versuchen.',
      storageFull: 'Der Dienst hat keinen Platz mehr. Bitte später noch einmal versuchen.',
    },

    limits: {
      heading: 'Gut zu wissen',
      pixelCount: 'Bis zu {megapixels} Megapixel pro Bild.',
      galleries:
        'Zu einer Galerie kannst du {duration} lang Bilder hinzufügen. Danach wird sie automatisch veröffentlicht.',
      forPrograms: 'Von der Kommandozeile oder aus einer App hochladen:',
    },
  },

  uploads: {
    heading: 'Deine Uploads',
    explanation: 'Auf diesem Gerät. Die Liste liegt nur in diesem Browser und wird nie gesendet.',
    empty: 'Noch nichts hier. Was du in diesem Browser hochlädst, erscheint hier.',
    needsScript: 'Die Liste liegt in deinem Browser und entsteht dort: Dafür braucht es JavaScript.',
    filter: 'Nach Namen filtern',
    delete: 'Löschen',
    deleteName: '{name} löschen',
    deleteQuestion: '{name} endgültig löschen?',
    deleted: '{name} ist gelöscht.',
    deleteFailed: 'Es konnte nicht gelöscht werden. Bitte gleich noch einmal versuchen.',
    deleteUnknown: 'Dieser Dienst kennt den privaten Link nicht. Der Eintrag bleibt in der Liste.',
    forgetAll: 'Alle vergessen',
    forgetQuestion:
      'Alle vergessen? Die Bilder bleiben online, und ohne ihre privaten Links kann niemand sie löschen. Exportiere zuerst die Liste, um die Links zu behalten.',
    export: 'Exportieren',
    import: 'Importieren',
    imported: { one: '{count} Eintrag ist hinzugefügt.', other: '{count} Einträge sind hinzugefügt.' },
    importFailed: 'Diese Datei enthält keine Liste von Uploads.',
  },

  embed: {
    button: 'Bilder einfügen',
    explanation: 'Was du hier hochlädst, kommt in deinen Text auf {site}.',
    insert: 'In den Text einfügen',
    lost: 'Die Seite mit deinem Text ist nicht mehr erreichbar. Kopiere stattdessen den Code.',
  },

  report: {
    heading: 'Rechtswidrige Inhalte melden',
    explanation:
      'Melde uns ein Bild oder eine Galerie, die hier nicht sein sollte. Jede Meldung wird von einem Menschen gelesen. Du brauchst kein Konto, und wir speichern über dich nur, was du hier schreibst.',
    url: 'Adresse des Bildes oder der Galerie',
    urlHint: 'Kopiere sie aus der Adresszeile deines Browsers.',
    urlWrong:
      'Das ist keine Adresse eines Bildes oder einer Galerie von uns. Bitte kopiere die ganze Adresse aus der Adresszeile deines Browsers.',
    notFound:
      'Unter dieser Adresse gibt es kein Bild und keine Galerie. Vielleicht ist der Inhalt schon gelöscht; wenn nicht, prüfe bitte die Adresse.',
    reason: 'Was stimmt damit nicht?',
    reasons: {
      illegal: 'Es verstößt gegen das Gesetz',
      child: 'Sexueller Missbrauch eines Kindes',
      copyright: 'Es verletzt ein Urheberrecht',
      personal: 'Es verletzt meine Privatsphäre',
      violence: 'Gewalt oder Hass',
      other: 'Etwas anderes',
    },
    reasonMissing: 'Bitte wähle aus, was nicht stimmt.',
    details: 'Einzelheiten',
    detailsHint:
      'Was wir wissen sollten, etwa gegen welches Gesetz es verstößt oder welches Werk von dir ist. Höchstens {maxCharacters} Zeichen.',
    detailsWrong: 'Bitte sag in höchstens {maxCharacters} Zeichen, was nicht stimmt.',
    contact: 'Wie wir dich erreichen (freiwillig)',
    contactHint: 'Zum Beispiel eine E-Mail-Adresse, wenn du eine Antwort möchtest.',
    contactWrong: 'Bitte höchstens {maxCharacters} Zeichen verwenden.',
    submit: 'Meldung senden',
    tooMany:
      'Du hast in kurzer Zeit viele Meldungen gesendet. Diese ist noch nicht gesendet: Bitte versuche es in ein paar Minuten noch einmal.',
    unreadable:
      'Wir konnten dieses Formular nicht lesen. Bitte fülle es noch einmal aus, mit einem kürzeren Text, falls er lang war.',
    done: { heading: 'Danke', explanation: 'Deine Meldung ist angekommen. Wir sehen sie uns an, sobald wir können.' },
  },
}
