import type { Messages } from '../shell/message-types.ts'

export const es: Messages = {
  homeLink: 'A la página de inicio',
  skipToContent: 'Ir al contenido',
  languages: 'Idiomas',
  reportLink: 'Denunciar contenido ilícito',
  menu: 'Idioma y aspecto',
  theme: 'Aspecto',
  themes: { auto: 'Como el dispositivo', light: 'Claro', dark: 'Oscuro' },
  tools: 'Herramientas',
  runBy: (name) => `A cargo de ${name}`,
  legal: { terms: 'Condiciones de uso', privacy: 'Privacidad', imprint: 'Aviso legal', contact: 'Contacto' },

  adultContent: 'Contenido para adultos',
  adultContentInGallery: 'Esta galería tiene contenido para adultos',
  adultContentMarkedBy: 'Marcado así por quien lo subió.',
  showAdultPicture: 'Mostrar la imagen',
  showAdultPictures: 'Mostrar las imágenes',
  untitledGallery: 'Galería sin título',
  gallery: 'Galería',

  picture: {
    facts: 'Sobre esta imagen',
    dimensions: 'Dimensiones',
    pixels: (width, height) => `${width} × ${height}`,
    fileSize: 'Tamaño del archivo',
    format: 'Formato',
    uploaded: 'Subida',
    fullSize: 'Tamaño real',
    openOriginal: 'Abrir el original',
    download: 'Descargar',
    positionIn: (position, count) => `${position} de ${count} en`,
    neighbours: 'Imágenes de esta galería',
    previous: 'Imagen anterior',
    next: 'Imagen siguiente',
  },

  viewer: {
    title: 'Imagen',
    slideshow: 'Presentación',
    close: 'Cerrar',
  },

  codes: {
    heading: 'Compartir',
    link: 'Enlace',
    links: 'Enlaces',
    ofAllPictures: 'Códigos de todas las imágenes',
    page: 'Página',
    file: 'Archivo',
    codes: 'Códigos',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatura con enlace',
    full: 'Imagen completa',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'Pulsa Ctrl+C para copiar',
    copyOf: (what) => `Copiar: ${what}`,
  },

  imageCount: { one: '{count} imagen', many: '{count} de imágenes', other: '{count} imágenes' },
  pageOf: (page, pageCount) => `Página ${page} de ${pageCount}`,
  downloadAll: 'Descargar todo',
  downloadPart: (part, parts) => `Descargar la parte ${part} de ${parts}`,
  pages: 'Páginas',
  previousPage: 'Página anterior',
  nextPage: 'Página siguiente',

  managed: {
    image: {
      heading: 'Administrar tu imagen',
      explanation: 'Quien tenga la dirección de esta página puede eliminar la imagen. No la compartas.',
      deleteHeading: 'Eliminar la imagen',
      deleteWarning: 'La imagen, su página y su miniatura desaparecen para siempre. No se puede deshacer.',
      deleteButton: 'Eliminar la imagen',
      deleted: {
        heading: 'La imagen está eliminada',
        explanation: 'Su página lo indica desde ahora. Esta dirección ya no sirve.',
      },
    },
    gallery: {
      heading: 'Administrar tu galería',
      explanation:
        'Quien tenga la dirección de esta página puede cambiar el nombre de la galería o eliminarla. No la compartas.',
      deleteHeading: 'Eliminar la galería',
      deleteWarning: 'La galería desaparece para siempre, con todas sus imágenes. No se puede deshacer.',
      deleteButton: 'Eliminar la galería y sus imágenes',
      deleted: {
        heading: 'La galería está eliminada',
        explanation: 'Todas sus imágenes también. Esta dirección ya no sirve.',
      },
    },
  },
  publicPage: 'Página pública',
  rename: 'Cambiar el nombre de la galería',
  nameLabel: 'Nombre',
  nameHint: (maxCharacters) =>
    `Como máximo ${maxCharacters} caracteres, sin emojis ni < o >. Puede quedar vacío. La dirección no cambia.`,
  renameButton: 'Cambiar el nombre',
  renamed: 'La galería tiene su nuevo nombre.',
  invalidName: (maxCharacters) =>
    `Este nombre no sirve: como máximo ${maxCharacters} caracteres, sin emojis, saltos de línea ni caracteres de control, sin < o >.`,
  confirmDelete: 'Sí, eliminar para siempre',
  confirmMissing: 'Todavía no se ha eliminado nada. Marca primero la casilla y después elimina.',

  missingPicture: {
    heading: 'Esta imagen no existe',
    explanation: 'Fue eliminada, todavía no es pública, o la dirección es incorrecta.',
  },
  missingGallery: {
    heading: 'Esta galería no existe',
    explanation: 'Fue eliminada, todavía no es pública, o la dirección es incorrecta.',
  },
  notFound: { heading: 'Aquí no hay nada', explanation: 'Comprueba la dirección.' },
  gone: {
    heading: 'Ya está eliminado',
    explanation: 'Lo que se administraba en esta dirección fue eliminado. Ya no sirve.',
  },
  limitReached: {
    heading: 'Demasiado de una vez',
    explanation:
      'Desde tu red ha llegado en la última hora más de lo que este servicio admite. Inténtalo de nuevo dentro de un rato.',
  },
  foreignForm: {
    heading: 'Este formulario vino de otro sitio',
    explanation: 'No se ha hecho nada. Abre la página aquí y envía su propio formulario.',
  },
  badRequest: {
    heading: 'No ha funcionado',
    explanation: 'El formulario no llegó completo. Vuelve atrás e inténtalo de nuevo.',
  },
  error: { heading: 'Algo salió mal', explanation: 'El error es nuestro. Inténtalo de nuevo en un momento.' },
  requestId: 'Número de esta solicitud, por si avisas del error',

  upload: {
    heading: 'Un hogar para tus imágenes',
    summary: 'Comparte una imagen con un enlace. Sin cuenta, sin publicidad, sin rastreo.',
    choose: 'Elegir imágenes',
    chooseFolder: 'Elegir una carpeta',
    takePhoto: 'Hacer una foto',
    dropOrPaste: 'o suéltalas en cualquier parte, o pega una',
    dropHere: 'Suelta las imágenes en cualquier parte',
    accepted: (formats, size) => `${formats}, hasta ${size} cada una`,
    options: 'Opciones',
    adult: 'Contenido para adultos',
    adultHint: 'Las imágenes quedan ocultas hasta que alguien quiera verlas.',
    strip: 'Quitar la ubicación y los datos de la cámara',
    stripHint: 'En tu navegador, antes de enviar nada. La imagen en sí no cambia.',
    stripPlain: 'Quitar la ubicación y los datos de la cámara, y reducir las fotos grandes',
    hasLocation: 'Contiene una ubicación',
    losesLocation: 'Se quita la ubicación',
    smaller: 'Archivos más pequeños',
    smallerHint: 'Las fotos grandes se reducen y se borran metadatos como el lugar.',
    previewSize: 'Tamaño de la vista previa',
    previewSizes: { small: 'Pequeño', medium: 'Mediano', large: 'Grande' },
    privateLinks: 'Enlaces privados para eliminarlas después',
    privateLinksHint: 'Se muestran una sola vez, justo después de la subida.',
    oneGallery: 'Una galería para todas',
    galleryName: 'Nombre de la galería',
    galleryHint: 'Puede quedar vacío.',
    start: {
      one: 'Subir {count} imagen',
      many: 'Subir {count} de imágenes',
      other: 'Subir {count} imágenes',
    },
    startOne: 'Subir',
    addMore: 'Añadir más',
    clear: 'Empezar de nuevo',

    files: 'Tus imágenes',
    waiting: 'En espera',
    sending: (percent) => `Enviando, ${percent}`,
    processing: 'Recibida, se está procesando',
    done: 'Hecho',
    remove: (name) => `Quitar ${name}`,
    retry: (name) => `Reintentar ${name}`,
    retryButton: 'Reintentar',
    retryAll: 'Reintentar todas las que fallaron',
    finishAnyway: 'Terminar de todos modos',
    pause: 'Pausar',
    stopped: 'En pausa',
    resume: 'Continuar',
    offline: 'Sin conexión. La subida seguirá sola cuando vuelva.',
    held: 'Espera la conexión',

    progress: (done, total) => `${done} de ${total} subidas`,
    allDone: {
      one: 'Se ha subido {count} imagen.',
      many: 'Se han subido los {count} de imágenes.',
      other: 'Se han subido las {count} imágenes.',
    },
    someFailed: {
      one: 'No se pudo subir {count} imagen.',
      many: 'No se pudieron subir {count} de imágenes.',
      other: 'No se pudieron subir {count} imágenes.',
    },
    paused: {
      limited: (time) =>
        `Desde tu red ha llegado más de lo que este servicio admite de una vez. Continuará solo a las ${time}.`,
      busy: (time) => `El servicio está ocupado. Continuará solo a las ${time}.`,
    },

    results: 'Listo para compartir',
    galleryReady: 'Tu galería',
    codesShow: 'Los códigos muestran',
    allPictures: 'Todas las imágenes',
    openPage: 'Abrir la página',
    another: 'Subir más',
    saved: (before, after, percent) => `De ${before} a ${after}, un ${percent} menos`,
    notSmaller: 'Ya no se podía reducir más',
    resized: (width, height) => `reducida a ${width} × ${height} píxeles`,

    managementHeading: 'Enlaces privados',
    managementWarning:
      'Guarda estos enlaces ahora: no se volverán a mostrar. Quien tenga uno puede eliminar la imagen o la galería a la que lleva.',

    share: 'Compartir…',
    open: 'Abrir',
    copyLink: 'Copiar el enlace',
    qrCode: 'Código QR',
    remembered: 'Recordado en este dispositivo',
    dontRemember: 'No recordar',
    remember: 'Recordar en este dispositivo',
    managementHint: 'Quien tenga un enlace así puede eliminar aquello a lo que lleva. Guárdalo para ti.',

    startingOver: {
      sent: {
        one: 'Ya se ha subido {count} imagen.',
        many: 'Ya se han subido {count} de imágenes.',
        other: 'Ya se han subido {count} imágenes.',
      },
      question: '¿Qué hacemos con lo enviado?',
      delete: 'Eliminar lo enviado',
      keep: 'Conservarlo',
      cancel: 'Cancelar',
      deleted: {
        one: 'Se ha eliminado {count} imagen.',
        many: 'Se han eliminado {count} de imágenes.',
        other: 'Se han eliminado {count} imágenes.',
      },
      failed: {
        one: 'No se pudo eliminar {count} imagen. Inténtalo de nuevo.',
        many: 'No se pudieron eliminar {count} de imágenes. Inténtalo de nuevo.',
        other: 'No se pudieron eliminar {count} imágenes. Inténtalo de nuevo.',
      },
    },

    shared: {
      heading: 'Compartido desde otra aplicación',
      add: 'Añadir',
      discard: 'Descartar',
      left: {
        one: '{count} archivo quedó fuera.',
        many: '{count} de archivos quedaron fuera.',
        other: '{count} archivos quedaron fuera.',
      },
      limit: (files, size) =>
        `Se pueden compartir hasta ${files} archivos y ${size} a la vez, si el dispositivo tiene espacio.`,
    },

    unfit: {
      heading: {
        one: '{count} archivo no se puede subir tal cual',
        many: '{count} de archivos no se pueden subir tal cual',
        other: '{count} archivos no se pueden subir tal cual',
      },
      tooBig: (size, megapixels) => `Más de ${size} o de ${megapixels} megapíxeles.`,
      makeSmaller: 'Reducir',
      convertible: 'Este formato no se puede subir, pero tu navegador puede convertirlo.',
      convert: 'Convertir a JPEG',
      unreadable:
        'Este formato no se puede subir y tu navegador no puede convertirlo. Guarda antes la imagen como JPEG.',
      curing: 'Un momento…',
      failed: (name) => `No se pudo leer ${name} en este navegador.`,
      close: 'Cerrar',
      fetching: 'Se está obteniendo la imagen.',
      fetchFailed:
        'El servidor de esta dirección no entrega sus imágenes a otros sitios. Guarda la imagen y elígela aquí.',
    },

    moved: (name, position, total) => `${name} es ahora la ${position} de ${total}`,
    orderHint: 'Arrastra las imágenes para ordenarlas, o pulsa Alt y una flecha.',

    errors: {
      network: 'Se ha perdido la conexión. Inténtalo de nuevo.',
      tooLarge: (size) => `El archivo ocupa más de ${size}.`,
      notAPicture: (formats) => `No reconocemos esta imagen. Aceptamos ${formats}.`,
      damaged: 'La imagen está dañada o tiene demasiados píxeles.',
      galleryGone: 'La galería ya no acepta imágenes. Empieza una nueva.',
      missing: 'Elige primero una imagen.',
      notStripped:
        'No se pudieron quitar la ubicación y los datos de la cámara, así que no se envió. Para enviarla tal cual, empieza de nuevo sin esa opción.',
      server: 'El error es nuestro. Inténtalo de nuevo en un momento.',
      galleryName: 'Este nombre de galería no sirve: como máximo 255 caracteres, sin emojis ni < o >.',
    },

    limits: {
      heading: 'Conviene saber',
      pixelCount: (megapixels) => `Las imágenes pueden tener hasta ${megapixels} millones de píxeles.`,
      galleries: (hours) =>
        `Una galería acepta imágenes durante ${hours} horas como máximo; después se hace pública por sí sola.`,
      forPrograms: 'Los programas también pueden subir imágenes:',
    },
  },

  uploads: {
    heading: 'Tus subidas',
    explanation: 'En este dispositivo. La lista está solo en este navegador y nunca se envía.',
    empty: 'Aún no hay nada. Aquí aparece lo que subas con este navegador.',
    needsScript: 'La lista se guarda y se crea en tu navegador, y para eso hace falta JavaScript.',
    filter: 'Filtrar por nombre',
    delete: 'Eliminar',
    deleteName: (name) => `Eliminar ${name}`,
    deleteQuestion: (name) => `¿Eliminar ${name} para siempre?`,
    deleted: (name) => `${name} se ha eliminado.`,
    deleteFailed: 'No se pudo eliminar. Inténtalo de nuevo en un momento.',
    deleteUnknown: 'Este servicio no reconoce el enlace privado. La entrada permanece en la lista.',
    forgetAll: 'Olvidar todo',
    forgetQuestion:
      '¿Olvidar todo? Las imágenes siguen en línea y sin sus enlaces privados nadie puede eliminarlas. Exporta antes la lista para conservarlos.',
    export: 'Exportar',
    import: 'Importar',
    imported: {
      one: 'Se ha añadido {count} entrada.',
      many: 'Se han añadido {count} de entradas.',
      other: 'Se han añadido {count} entradas.',
    },
    importFailed: 'Este archivo no contiene ninguna lista de subidas.',
  },

  embed: {
    button: 'Añadir imágenes',
    explanation: (site) => `Lo que subas aquí irá a tu texto en ${site}.`,
    insert: 'Insertar en el texto',
    lost: 'Ya no se puede acceder a la página de tu texto. Copia el código.',
  },

  report: {
    heading: 'Denunciar contenido ilícito',
    explanation:
      'Avísanos de una imagen o una galería que no debería estar aquí. Una persona lee cada denuncia. No necesitas una cuenta, y de ti solo guardamos lo que escribas aquí.',
    url: 'Dirección de la imagen o de la galería',
    urlHint: 'Cópiala de la barra de direcciones de tu navegador.',
    urlWrong:
      'Esta no es la dirección de una imagen o galería nuestra. Copia la dirección completa de la barra de direcciones de tu navegador.',
    notFound:
      'No hay ninguna imagen ni galería en esta dirección. Quizá ya esté eliminada; si no, comprueba la dirección.',
    reason: '¿Cuál es el problema?',
    reasons: {
      illegal: 'Infringe la ley',
      child: 'Abuso sexual de un menor',
      copyright: 'Infringe derechos de autor',
      personal: 'Vulnera mi privacidad',
      violence: 'Violencia u odio',
      other: 'Otra cosa',
    },
    reasonMissing: 'Elige cuál es el problema.',
    details: 'Detalles',
    detailsHint: (maxCharacters) =>
      `Lo que debamos saber, por ejemplo qué ley infringe o qué obra es tuya. Como máximo ${maxCharacters} caracteres.`,
    detailsWrong: (maxCharacters) => `Explica en ${maxCharacters} caracteres como máximo cuál es el problema.`,
    contact: 'Cómo contactarte (opcional)',
    contactHint: 'Por ejemplo, una dirección de correo electrónico si quieres una respuesta.',
    contactWrong: (maxCharacters) => `Usa como máximo ${maxCharacters} caracteres.`,
    submit: 'Enviar la denuncia',
    tooMany:
      'Has enviado muchas denuncias en poco tiempo. Esta aún no se ha enviado: inténtalo de nuevo en unos minutos.',
    unreadable: 'No pudimos leer este formulario. Rellénalo otra vez, con un texto más corto si era largo.',
    done: { heading: 'Gracias', explanation: 'Hemos recibido tu denuncia. La revisaremos en cuanto podamos.' },
  },
}
