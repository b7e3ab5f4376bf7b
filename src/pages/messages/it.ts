import type { Translation } from './types.ts'

export const it: Translation = {
  homeLink: 'Alla pagina iniziale',
  skipToContent: 'Vai al contenuto',
  languages: 'Lingue',
  reportLink: 'Segnala contenuti illeciti',
  menu: 'Lingua e aspetto',
  theme: 'Aspetto',
  themes: { auto: 'Come il dispositivo', light: 'Chiaro', dark: 'Scuro' },
  tools: 'Strumenti',
  runBy: 'Gestito da {name}',
  legal: { terms: 'Condizioni d’uso', privacy: 'Riservatezza', imprint: 'Note legali', contact: 'Contatti' },

  adultContent: 'Contenuto per adulti',
  adultContentInGallery: 'Questa galleria contiene immagini per adulti',
  adultContentMarkedBy: 'Contrassegnato così da chi lo ha caricato.',
  showAdultImage: 'Mostra l’immagine',
  showAdultImages: 'Mostra le immagini',
  untitledGallery: 'Galleria senza titolo',
  gallery: 'Galleria',

  imagePage: {
    facts: 'Informazioni su questa immagine',
    dimensions: 'Dimensioni',
    pixels: '{width} × {height}',
    fileSize: 'Dimensione del file',
    format: 'Formato',
    uploaded: 'Caricata il',
    fullSize: 'Dimensioni reali',
    openOriginal: 'Apri l’originale',
    download: 'Scarica',
    positionIn: '{position} di {count} in',
    neighbours: 'Immagini di questa galleria',
    previous: 'Immagine precedente',
    next: 'Immagine successiva',
  },

  viewer: {
    title: 'Immagine',
    slideshow: 'Presentazione',
    close: 'Chiudi',
  },

  codes: {
    heading: 'Condividi',
    link: 'Link',
    links: 'Link',
    ofAllImages: 'Codici di tutte le immagini',
    page: 'Pagina',
    file: 'File',
    codes: 'Codici',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatura con link',
    full: 'Immagine intera',
    copy: 'Copia',
    copied: 'Copiato',
    copyFailed: 'Premi Ctrl+C per copiare',
    copyOf: 'Copia: {what}',
  },

  imageCount: { one: '{count} immagine', many: '{count} di immagini', other: '{count} immagini' },
  pageOf: 'Pagina {page} di {pageCount}',
  downloadAll: 'Scarica tutto',
  downloadPart: 'Scarica la parte {part} di {parts}',
  pages: 'Pagine',
  previousPage: 'Pagina precedente',
  nextPage: 'Pagina successiva',

  managed: {
    image: {
      heading: 'Gestisci la tua immagine',
      explanation: 'Chi ha l’indirizzo di questa pagina può eliminare l’immagine. Tienilo per te.',
      deleteHeading: 'Elimina l’immagine',
      deleteWarning:
        'L’immagine, la sua pagina e la sua miniatura spariscono per sempre. L’operazione non si può annullare.',
      deleteButton: 'Elimina l’immagine',
      deleted: {
        heading: 'L’immagine è stata eliminata',
        explanation: 'D’ora in poi la sua pagina lo segnala. Questo indirizzo non serve più.',
      },
    },
    gallery: {
      heading: 'Gestisci la tua galleria',
      explanation: 'Chi ha l’indirizzo di questa pagina può rinominare o eliminare la galleria. Tienilo per te.',
      deleteHeading: 'Elimina la galleria',
      deleteWarning: 'La galleria sparisce per sempre, con tutte le sue immagini. L’operazione non si può annullare.',
      deleteButton: 'Elimina la galleria e le sue immagini',
      deleted: {
        heading: 'La galleria è stata eliminata',
        explanation: 'Sono state eliminate anche tutte le sue immagini. Questo indirizzo non serve più.',
      },
    },
  },
  publicPage: 'Pagina pubblica',
  rename: 'Rinomina la galleria',
  nameLabel: 'Nome',
  nameHint:
    'Al massimo {maxCharacters} caratteri, senza emoji e senza < o >. Può restare vuoto. L’indirizzo non cambia.',
  renameButton: 'Rinomina',
  renamed: 'La galleria ha il suo nuovo nome.',
  invalidName:
    'Questo nome non va bene: al massimo {maxCharacters} caratteri, senza emoji, interruzioni di riga o caratteri di controllo, senza < o >.',
  confirmDelete: 'Sì, elimina per sempre',
  confirmMissing: 'Non è stato ancora eliminato nulla. Prima spunta la casella, poi elimina.',

  missingImage: {
    heading: 'Questa immagine non esiste',
    explanation: 'È stata eliminata, non è ancora pubblica oppure l’indirizzo è sbagliato.',
  },
  missingGallery: {
    heading: 'Questa galleria non esiste',
    explanation: 'È stata eliminata, non è ancora pubblica oppure l’indirizzo è sbagliato.',
  },
  notFound: { heading: 'Qui non c’è nulla', explanation: 'Controlla l’indirizzo.' },
  deletedNotice: {
    heading: 'Già eliminato',
    explanation: 'Ciò che si gestiva da questo indirizzo è stato eliminato. L’indirizzo non serve più.',
  },
  limitReached: {
    heading: 'Troppo in una volta',
    explanation: 'Nell’ultima ora dalla tua rete è arrivato più di quanto questo servizio accetti. Riprova tra un po’.',
  },
  foreignForm: {
    heading: 'Questo modulo viene da un altro sito',
    explanation: 'Non è stato fatto nulla. Apri la pagina qui e invia il suo modulo.',
  },
  badRequest: {
    heading: 'Non ha funzionato',
    explanation: 'Il modulo non è arrivato per intero. Torna indietro e riprova.',
  },
  error: { heading: 'Qualcosa è andato storto', explanation: 'L’errore è nostro. Riprova tra un momento.' },
  requestId: 'Numero di questa richiesta, se segnali l’errore',

  upload: {
    heading: 'Una casa per le tue immagini',
    summary: 'Condividi un’immagine con un link. Senza account, senza pubblicità, senza tracciamento.',
    choose: 'Scegli le immagini',
    chooseFolder: 'Scegli una cartella',
    takePhoto: 'Scatta una foto',
    dropOrPaste: 'oppure trascinale dove vuoi o incollane una',
    dropHere: 'Rilascia le immagini dove vuoi',
    accepted: '{formats}, fino a {size} ciascuna',
    options: 'Opzioni',
    adult: 'Contenuto per adulti',
    adultHint: 'Le immagini restano coperte finché qualcuno non sceglie di vederle.',
    strip: 'Rimuovi posizione e dati della fotocamera',
    stripHint: 'Nel tuo browser, prima dell’invio. L’immagine in sé non cambia.',
    stripPlain: 'Rimuovi posizione e dati della fotocamera, e riduci le foto grandi',
    hasLocation: 'Contiene una posizione',
    losesLocation: 'La posizione viene rimossa',
    smaller: 'File più piccoli',
    smallerHint: 'Le foto grandi vengono ridotte e i metadati, come il luogo, vengono rimossi.',
    previewSize: 'Dimensione dell’anteprima',
    previewSizes: { small: 'Piccola', medium: 'Media', large: 'Grande' },
    privateLinks: 'Link privati per eliminarle in seguito',
    privateLinksHint: 'Vengono mostrati una sola volta, subito dopo il caricamento.',
    oneGallery: 'Una galleria per tutte',
    galleryName: 'Nome della galleria',
    galleryHint: 'Può restare vuoto.',
    start: {
      one: 'Carica {count} immagine',
      many: 'Carica {count} di immagini',
      other: 'Carica {count} immagini',
    },
    startOne: 'Carica',
    addMore: 'Aggiungi altre',
    clear: 'Ricomincia',

    files: 'Le tue immagini',
    waiting: 'In attesa',
    sending: 'Invio in corso, {percent}',
    processing: 'Arrivata, in elaborazione',
    done: 'Fatto',
    remove: 'Rimuovi {name}',
    retry: 'Riprova con {name}',
    retryButton: 'Riprova',
    retryAll: 'Riprova tutte quelle non riuscite',
    finishAnyway: 'Concludi comunque',
    pause: 'Metti in pausa',
    stopped: 'In pausa',
    resume: 'Continua',
    offline: 'Nessuna connessione. L’invio riprende da solo quando torna.',
    held: 'Attende la connessione',

    progress: '{done} su {total} caricate',
    allDone: {
      one: '{count} immagine è stata caricata.',
      many: 'Tutti i {count} di immagini sono stati caricati.',
      other: 'Tutte le {count} immagini sono state caricate.',
    },
    someFailed: {
      one: 'Non è stato possibile caricare {count} immagine.',
      many: 'Non è stato possibile caricare {count} di immagini.',
      other: 'Non è stato possibile caricare {count} immagini.',
    },
    paused: {
      limited:
        'Dalla tua rete è arrivato più di quanto questo servizio accetti in una volta. L’invio riprenderà da solo alle {time}.',
      busy: 'Il servizio è occupato. L’invio riprenderà da solo alle {time}.',
    },

    results: 'Pronto da condividere',
    galleryReady: 'La tua galleria',
    codesShow: 'I codici mostrano',
    allImages: 'Tutte le immagini',
    openPage: 'Apri la pagina',
    another: 'Carica altre immagini',
    saved: 'Da {before} a {after}, {percent} in meno',
    notSmaller: 'Non si poteva ridurre oltre',
    resized: 'ridotta a {width} × {height} pixel',

    managementHeading: 'Link privati',
    managementWarning:
      'Salva subito questi link: non verranno più mostrati. Chi ne ha uno può eliminare l’immagine o la galleria a cui conduce.',

    share: 'Condividi…',
    open: 'Apri',
    copyLink: 'Copia il link',
    qrCode: 'Codice QR',
    remembered: 'Ricordato su questo dispositivo',
    dontRemember: 'Non ricordare',
    remember: 'Ricorda su questo dispositivo',
    managementHint: 'Chi ha un link come questo può eliminare ciò a cui conduce. Tienilo per te.',

    startingOver: {
      sent: {
        one: '{count} immagine è già caricata.',
        many: '{count} di immagini sono già caricate.',
        other: '{count} immagini sono già caricate.',
      },
      question: 'Che cosa ne facciamo?',
      delete: 'Elimina ciò che è stato inviato',
      keep: 'Conserva',
      cancel: 'Annulla',
      deleted: {
        one: '{count} immagine è stata eliminata.',
        many: '{count} di immagini sono state eliminate.',
        other: '{count} immagini sono state eliminate.',
      },
      failed: {
        one: 'Non è stato possibile eliminare {count} immagine. Riprova.',
        many: 'Non è stato possibile eliminare {count} di immagini. Riprova.',
        other: 'Non è stato possibile eliminare {count} immagini. Riprova.',
      },
    },

    shared: {
      heading: 'Condiviso da un’altra app',
      add: 'Aggiungi',
      discard: 'Scarta',
      left: {
        one: '{count} file è stato escluso.',
        many: '{count} di file sono stati esclusi.',
        other: '{count} file sono stati esclusi.',
      },
      limit: 'Si possono condividere fino a {files} file e {size} alla volta, se c’è spazio sul dispositivo.',
      interrupted: 'La condivisione si è interrotta. Condividi di nuovo i file mancanti.',
    },

    unfit: {
      heading: {
        one: '{count} file non si può caricare così com’è',
        many: '{count} di file non si possono caricare così come sono',
        other: '{count} file non si possono caricare così come sono',
      },
      tooBig: 'Più di {size} o di {megapixels} megapixel.',
      makeSmaller: 'Riduci',
      convertible: 'Questo formato non si può caricare, ma il tuo browser può convertirlo.',
      convert: 'Converti in JPEG',
      unreadable:
        'Questo formato non si può caricare e il tuo browser non può convertirlo. Salva prima l’immagine come JPEG.',
      curing: 'Un momento…',
      failed: 'Non è stato possibile leggere {name} in questo browser.',
      close: 'Chiudi',
      fetching: 'L’immagine viene recuperata.',
      fetchFailed:
        'Il server di questo indirizzo non dà le sue immagini ad altri siti. Salva l’immagine, poi sceglila qui.',
    },

    moved: '{name} è ora {position} di {total}',
    orderHint: 'Trascina le immagini per ordinarle, oppure premi Alt e una freccia.',

    errors: {
      network: 'La connessione si è interrotta. Riprova.',
      tooLarge: 'Il file supera {size}.',
      unsupportedFormat: 'Non riconosciamo questa immagine. Accettiamo {formats}.',
      damaged: 'L’immagine è danneggiata o ha troppi pixel.',
      galleryClosed: 'La galleria non accetta più immagini. Iniziane una nuova.',
      missing: 'Scegli prima un’immagine.',
      notStripped:
        'Non è stato possibile rimuovere posizione e dati della fotocamera, quindi l’immagine non è stata inviata. Per inviarla così com’è, ricomincia senza questa opzione.',
      server: 'L’errore è nostro. Riprova tra un momento.',
      galleryName: 'Questo nome di galleria non va bene: al massimo 255 caratteri, senza emoji e senza < o >.',
    },

    limits: {
      heading: 'Buono a sapersi',
      pixelCount: 'Le immagini possono avere fino a {megapixels} milioni di pixel.',
      galleries: 'Una galleria accetta immagini per {hours} ore al massimo, poi diventa pubblica automaticamente.',
      forPrograms: 'Anche i programmi possono caricare immagini:',
    },
  },

  uploads: {
    heading: 'I tuoi caricamenti',
    explanation: 'Su questo dispositivo. L’elenco resta solo in questo browser e non viene mai inviato.',
    empty: 'Ancora niente. Qui compare ciò che carichi con questo browser.',
    needsScript: 'L’elenco è conservato e creato nel tuo browser, e per questo serve JavaScript.',
    filter: 'Filtra per nome',
    delete: 'Elimina',
    deleteName: 'Elimina {name}',
    deleteQuestion: 'Eliminare {name} per sempre?',
    deleted: '{name} è stato eliminato.',
    deleteFailed: 'Non è stato possibile eliminarlo. Riprova tra un momento.',
    deleteUnknown: 'Questo servizio non riconosce il link privato. La voce resta nell’elenco.',
    forgetAll: 'Dimentica tutto',
    forgetQuestion:
      'Dimenticare tutto? Le immagini restano online, e senza i loro link privati nessuno può eliminarle. Esporta prima l’elenco per conservarli.',
    export: 'Esporta',
    import: 'Importa',
    imported: { one: '{count} voce aggiunta.', many: '{count} di voci aggiunte.', other: '{count} voci aggiunte.' },
    importFailed: 'Questo file non contiene un elenco di caricamenti.',
  },

  embed: {
    button: 'Aggiungi immagini',
    explanation: 'Ciò che carichi qui va nel tuo testo su {site}.',
    insert: 'Inserisci nel testo',
    lost: 'La pagina del tuo testo non è più raggiungibile. Copia invece il codice.',
  },

  report: {
    heading: 'Segnala contenuti illeciti',
    explanation:
      'Segnalaci un’immagine o una galleria che non dovrebbe stare qui. Ogni segnalazione viene letta da una persona. Non serve un account e di te conserviamo solo ciò che scrivi qui.',
    url: 'Indirizzo dell’immagine o della galleria',
    urlHint: 'Copialo dalla barra degli indirizzi del browser.',
    urlWrong:
      'Questo non è l’indirizzo di una nostra immagine o galleria. Copia l’indirizzo completo dalla barra degli indirizzi del browser.',
    notFound:
      'A questo indirizzo non c’è nessuna immagine o galleria. Forse il contenuto è già stato eliminato; altrimenti controlla l’indirizzo.',
    reason: 'Qual è il problema?',
    reasons: {
      illegal: 'Viola la legge',
      child: 'Abuso sessuale su un minore',
      copyright: 'Viola il diritto d’autore',
      personal: 'Viola la mia privacy',
      violence: 'Violenza o odio',
      other: 'Altro',
    },
    reasonMissing: 'Scegli qual è il problema.',
    details: 'Dettagli',
    detailsHint:
      'Ciò che dovremmo sapere, per esempio quale legge viene violata o quale opera è tua. Al massimo {maxCharacters} caratteri.',
    detailsWrong: 'Spiega qual è il problema in non più di {maxCharacters} caratteri.',
    contact: 'Come contattarti (facoltativo)',
    contactHint: 'Per esempio un indirizzo e-mail, se desideri una risposta.',
    contactWrong: 'Usa al massimo {maxCharacters} caratteri.',
    submit: 'Invia la segnalazione',
    tooMany:
      'Hai inviato molte segnalazioni in poco tempo. Questa non è ancora stata inviata: riprova tra qualche minuto.',
    unreadable: 'Non siamo riusciti a leggere questo modulo. Compilalo di nuovo, con un testo più breve se era lungo.',
    done: { heading: 'Grazie', explanation: 'La tua segnalazione è arrivata. La esamineremo appena possibile.' },
  },
}
