import type { Translation } from './types.ts'

export const fr: Translation = {
  homeLink: 'Vers la page d’accueil',
  skipToContent: 'Aller au contenu',
  languages: 'Langues',
  reportLink: 'Signaler un contenu illicite',
  menu: 'Langue et apparence',
  theme: 'Apparence',
  themes: { auto: 'Comme l’appareil', light: 'Clair', dark: 'Sombre' },
  tools: 'Outils',
  runBy: 'Exploité par {name}',
  legal: {
    terms: 'Conditions d’utilisation',
    privacy: 'Confidentialité',
    imprint: 'Mentions légales',
    contact: 'Nous contacter',
  },

  adultContent: 'Contenu pour adultes',
  adultContentInGallery: 'Cette galerie contient des images pour adultes',
  adultContentMarkedBy: 'Signalé ainsi par la personne qui l’a envoyé.',
  showAdultImage: 'Afficher l’image',
  showAdultImages: 'Afficher les images',
  untitledGallery: 'Galerie sans titre',
  gallery: 'Galerie',

  imagePage: {
    facts: 'À propos de cette image',
    dimensions: 'Dimensions',
    pixels: '{width} × {height}',
    fileSize: 'Taille du fichier',
    format: 'Format',
    uploaded: 'Mise en ligne',
    fullSize: 'Taille réelle',
    openOriginal: 'Ouvrir l’original',
    download: 'Télécharger',
    positionIn: '{position} sur {count} dans',
    neighbours: 'Images de cette galerie',
    previous: 'Image précédente',
    next: 'Image suivante',
  },

  viewer: {
    title: 'Image',
    slideshow: 'Diaporama',
    close: 'Fermer',
  },

  codes: {
    heading: 'Partager',
    link: 'Lien',
    links: 'Liens',
    ofAllImages: 'Codes de toutes les images',
    page: 'Page',
    file: 'Fichier',
    codes: 'Codes à copier',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniature avec lien',
    full: 'Image entière',
    copy: 'Copier',
    copied: 'Copié',
    copyFailed: 'Ctrl+C pour copier',
    copyOf: 'Copier\u202f: {what}',
  },

  imageCount: { one: '{count} image', many: '{count} d’images', other: '{count} images' },
  pageOf: 'Page {page} sur {pageCount}',
  downloadAll: 'Tout télécharger',
  downloadPart: 'Télécharger la partie {part} sur {parts}',
  pages: 'Pages',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',

  managed: {
    image: {
      heading: 'Gérer votre image',
      explanation: 'Quiconque connaît l’adresse de cette page peut supprimer l’image. Gardez-la pour vous.',
      deleteHeading: 'Supprimer l’image',
      deleteWarning: 'L’image, sa page et sa miniature disparaissent définitivement. Cette action est irréversible.',
      deleteButton: 'Supprimer l’image',
      deleted: {
        heading: 'L’image est supprimée',
        explanation: 'Sa page l’indique désormais. Cette adresse ne sert plus à rien.',
      },
    },
    gallery: {
      heading: 'Gérer votre galerie',
      explanation:
        'Quiconque connaît l’adresse de cette page peut renommer ou supprimer la galerie. Gardez-la pour vous.',
      deleteHeading: 'Supprimer la galerie',
      deleteWarning: 'La galerie disparaît définitivement, avec toutes ses images. Cette action est irréversible.',
      deleteButton: 'Supprimer la galerie et ses images',
      deleted: {
        heading: 'La galerie est supprimée',
        explanation: 'Toutes ses images le sont aussi. Cette adresse ne sert plus à rien.',
      },
    },
  },
  publicPage: 'Page publique',
  rename: 'Renommer la galerie',
  nameLabel: 'Nom',
  nameHint: 'Au plus {maxCharacters} caractères, sans emoji ni < ou >. Le nom peut être vide. L’adresse reste la même.',
  renameButton: 'Renommer',
  renamed: 'La galerie porte son nouveau nom.',
  invalidName:
    'Ce nom ne convient pas\u202f: au plus {maxCharacters} caractères, sans emoji, saut de ligne ni caractère de contrôle, sans < ou >.',
  confirmDelete: 'Oui, supprimer définitivement',
  confirmMissing: 'Rien n’a encore été supprimé. Cochez d’abord la case, puis supprimez.',

  missingImage: {
    heading: 'Cette image n’existe pas',
    explanation: 'Elle a été supprimée, n’est pas encore publique, ou l’adresse est erronée.',
  },
  missingGallery: {
    heading: 'Cette galerie n’existe pas',
    explanation: 'Elle a été supprimée, n’est pas encore publique, ou l’adresse est erronée.',
  },
  notFound: { heading: 'Il n’y a rien ici', explanation: 'Veuillez vérifier l’adresse.' },
  deletedNotice: {
    heading: 'Déjà supprimé',
    explanation: 'Ce que cette adresse permettait de gérer a été supprimé. Elle ne sert plus à rien.',
  },
  limitReached: {
    heading: 'C’était beaucoup à la fois',
    explanation:
      'Votre réseau a envoyé au cours de la dernière heure plus que ce service n’accepte. Veuillez réessayer dans un moment.',
  },
  foreignForm: {
    heading: 'Ce formulaire vient d’un autre site',
    explanation: 'Rien n’a été fait. Veuillez ouvrir la page ici et envoyer son propre formulaire.',
  },
  badRequest: {
    heading: 'Cela n’a pas fonctionné',
    explanation: 'Le formulaire n’est pas arrivé en entier. Veuillez revenir en arrière et réessayer.',
  },
  error: { heading: 'Une erreur est survenue', explanation: 'Elle vient de nous. Veuillez réessayer dans un instant.' },
  requestId: 'Numéro de cette requête, si vous signalez l’erreur',

  upload: {
    heading: 'Une maison pour vos images',
    summary: 'Partagez une image par un simple lien. Sans compte, sans publicité, sans pistage.',
    choose: 'Choisir des images',
    chooseFolder: 'Choisir un dossier',
    takePhoto: 'Prendre une photo',
    dropOrPaste: 'ou déposez-les n’importe où, ou collez-en une',
    dropHere: 'Déposez les images n’importe où',
    accepted: '{formats}, {size} au plus par image',
    options: 'Options',
    adult: 'Contenu pour adultes',
    adultHint: 'Les images restent masquées jusqu’à ce qu’on demande à les voir.',
    strip: 'Supprimer la position et les données de l’appareil',
    stripHint: 'Dans votre navigateur, avant tout envoi. L’image elle-même ne change pas.',
    stripPlain: 'Supprimer la position et les données de l’appareil, et réduire les grandes photos',
    hasLocation: 'Contient une position',
    losesLocation: 'Position supprimée',
    smaller: 'Fichiers plus légers',
    smallerHint: 'Les grandes photos sont réduites, et les métadonnées comme le lieu sont effacées.',
    previewSize: 'Taille de l’aperçu',
    previewSizes: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
    privateLinks: 'Liens privés pour une suppression ultérieure',
    privateLinksHint: 'Ils ne sont affichés qu’une fois, juste après l’envoi.',
    oneGallery: 'Une seule galerie pour toutes',
    galleryName: 'Nom de la galerie',
    galleryHint: 'Il peut rester vide.',
    start: {
      one: 'Envoyer {count} image',
      many: 'Envoyer {count} d’images',
      other: 'Envoyer {count} images',
    },
    startOne: 'Envoyer',
    addMore: 'En ajouter',
    clear: 'Recommencer',

    files: 'Vos images',
    waiting: 'En attente',
    sending: 'Envoi en cours, {percent}',
    processing: 'Reçue, en cours de traitement',
    done: 'Terminé',
    remove: 'Retirer {name}',
    retry: 'Réessayer avec {name}',
    retryButton: 'Réessayer',
    retryAll: 'Réessayer toutes celles qui ont échoué',
    finishAnyway: 'Terminer quand même',
    pause: 'Mettre en pause',
    stopped: 'En pause',
    resume: 'Continuer',
    offline: 'Pas de connexion. L’envoi reprendra de lui-même à son retour.',
    held: 'Attend la connexion',

    progress: '{done} sur {total} en ligne',
    allDone: {
      one: '{count} image est en ligne.',
      many: 'Les {count} d’images sont en ligne.',
      other: 'Les {count} images sont en ligne.',
    },
    someFailed: {
      one: '{count} image n’a pas pu être envoyée.',
      many: '{count} d’images n’ont pas pu être envoyées.',
      other: '{count} images n’ont pas pu être envoyées.',
    },
    paused: {
      limited: 'Votre réseau a envoyé plus que ce service n’accepte à la fois. L’envoi reprendra de lui-même à {time}.',
      busy: 'Le service est très sollicité. L’envoi reprendra de lui-même à {time}.',
    },

    results: 'Prêt à partager',
    galleryReady: 'Votre galerie',
    codesShow: 'Les codes affichent',
    allImages: 'Toutes les images',
    openPage: 'Ouvrir la page',
    another: 'Envoyer d’autres images',
    saved: 'De {before} à {after}, soit {percent} de moins',
    notSmaller: 'Elle était déjà aussi légère que possible',
    resized: 'réduite à {width} × {height} pixels',

    managementHeading: 'Liens privés',
    managementWarning:
      'Enregistrez ces liens maintenant\u202f: ils ne seront plus jamais affichés. Quiconque en possède un peut supprimer l’image ou la galerie correspondante.',

    share: 'Partager…',
    open: 'Ouvrir',
    copyLink: 'Copier le lien',
    qrCode: 'Code QR',
    remembered: 'Mémorisé sur cet appareil',
    dontRemember: 'Ne pas mémoriser',
    remember: 'Mémoriser sur cet appareil',
    managementHint: 'Quiconque possède un tel lien peut supprimer ce à quoi il mène. Gardez-le pour vous.',

    startingOver: {
      sent: {
        one: '{count} image est déjà envoyée.',
        many: '{count} d’images sont déjà envoyées.',
        other: '{count} images sont déjà envoyées.',
      },
      question: 'Que faut-il en faire\u202f?',
      delete: 'Supprimer ce qui a été envoyé',
      keep: 'Le garder',
      cancel: 'Annuler',
      deleted: {
        one: '{count} image a été supprimée.',
        many: '{count} d’images ont été supprimées.',
        other: '{count} images ont été supprimées.',
      },
      failed: {
        one: '{count} image n’a pas pu être supprimée. Veuillez réessayer.',
        many: '{count} d’images n’ont pas pu être supprimées. Veuillez réessayer.',
        other: '{count} images n’ont pas pu être supprimées. Veuillez réessayer.',
      },
    },

    shared: {
      heading: 'Partagé depuis une autre application',
      add: 'Ajouter',
      discard: 'Ignorer',
      left: {
        one: '{count} fichier a été laissé de côté.',
        many: '{count} de fichiers ont été laissés de côté.',
        other: '{count} fichiers ont été laissés de côté.',
      },
      limit: 'On peut partager jusqu’à {files} fichiers et {size} à la fois, si l’appareil a assez de place.',
      interrupted: 'Le partage a été interrompu. Partagez à nouveau les fichiers manquants.',
    },

    unfit: {
      heading: {
        one: '{count} fichier ne peut pas être envoyé tel quel',
        many: '{count} de fichiers ne peuvent pas être envoyés tels quels',
        other: '{count} fichiers ne peuvent pas être envoyés tels quels',
      },
      tooBig: 'Plus de {size} ou de {megapixels} mégapixels.',
      makeSmaller: 'Réduire',
      convertible: 'Ce format ne peut pas être envoyé, mais votre navigateur peut le convertir.',
      convert: 'Convertir en JPEG',
      unreadable:
        'Ce format ne peut pas être envoyé, et votre navigateur ne peut pas le convertir. Enregistrez d’abord l’image en JPEG.',
      curing: 'Un instant…',
      failed: '{name} n’a pas pu être lu dans ce navigateur.',
      close: 'Fermer',
      fetching: 'L’image est en cours de récupération.',
      fetchFailed:
        'Le serveur de cette adresse ne donne pas ses images à d’autres sites. Enregistrez l’image, puis choisissez-la ici.',
    },

    moved: '{name} est maintenant {position} sur {total}',
    orderHint: 'Faites glisser les images pour les ordonner, ou appuyez sur Alt et une flèche.',

    errors: {
      network: 'La connexion a été interrompue. Veuillez réessayer.',
      tooLarge: 'Le fichier dépasse {size}.',
      unsupportedFormat: 'Nous ne reconnaissons pas cette image. Formats acceptés\u202f: {formats}.',
      damaged: 'L’image est endommagée ou compte trop de pixels.',
      galleryClosed: 'La galerie n’accepte plus d’images. Veuillez en commencer une nouvelle.',
      missing: 'Veuillez d’abord choisir une image.',
      notStripped:
        'La position et les données de l’appareil n’ont pas pu être supprimées, l’image n’a donc pas été envoyée. Pour l’envoyer telle quelle, recommencez sans cette option.',
      server: 'L’erreur vient de nous. Veuillez réessayer dans un instant.',
      galleryName: 'Ce nom de galerie ne convient pas\u202f: au plus 255 caractères, sans emoji ni < ou >.',
    },

    limits: {
      heading: 'Bon à savoir',
      pixelCount: 'Une image peut compter jusqu’à {megapixels} millions de pixels.',
      galleries:
        'Une galerie accepte des images pendant {hours} heures au plus, puis elle devient publique d’elle-même.',
      forPrograms: 'Les programmes aussi peuvent envoyer des images\u202f:',
    },
  },

  uploads: {
    heading: 'Vos envois',
    explanation: 'Sur cet appareil. La liste reste dans ce navigateur et n’est jamais envoyée.',
    empty: 'Rien ici pour l’instant. Ce que vous envoyez depuis ce navigateur apparaît ici.',
    needsScript: 'La liste est conservée et créée dans votre navigateur, ce qui demande JavaScript.',
    filter: 'Filtrer par nom',
    delete: 'Supprimer',
    deleteName: 'Supprimer {name}',
    deleteQuestion: 'Supprimer {name} définitivement\u202f?',
    deleted: '{name} est supprimé.',
    deleteFailed: 'La suppression a échoué. Veuillez réessayer dans un instant.',
    deleteUnknown: 'Ce service ne reconnaît pas le lien privé. L’entrée reste dans la liste.',
    forgetAll: 'Tout oublier',
    forgetQuestion:
      'Tout oublier\u202f? Les images restent en ligne, et sans leurs liens privés personne ne peut les supprimer. Exportez d’abord la liste pour les garder.',
    export: 'Exporter',
    import: 'Importer',
    imported: {
      one: '{count} entrée ajoutée.',
      many: '{count} d’entrées ajoutées.',
      other: '{count} entrées ajoutées.',
    },
    importFailed: 'Ce fichier ne contient pas de liste d’envois.',
  },

  embed: {
    button: 'Ajouter des images',
    explanation: 'Ce que vous envoyez ici ira dans votre texte sur {site}.',
    insert: 'Insérer dans le texte',
    lost: 'La page de votre texte n’est plus accessible. Copiez plutôt le code.',
  },

  report: {
    heading: 'Signaler un contenu illicite',
    explanation:
      'Signalez-nous une image ou une galerie qui ne devrait pas se trouver ici. Chaque signalement est lu par une personne. Aucun compte n’est nécessaire, et nous ne gardons à votre sujet que ce que vous écrivez ici.',
    url: 'Adresse de l’image ou de la galerie',
    urlHint: 'Copiez-la depuis la barre d’adresse de votre navigateur.',
    urlWrong:
      'Ce n’est pas l’adresse d’une de nos images ou galeries. Veuillez copier l’adresse entière depuis la barre d’adresse de votre navigateur.',
    notFound:
      'Il n’y a ni image ni galerie à cette adresse. Le contenu est peut-être déjà supprimé\u202f; sinon, veuillez vérifier l’adresse.',
    reason: 'Quel est le problème\u202f?',
    reasons: {
      illegal: 'Il enfreint la loi',
      child: 'Abus sexuel sur un enfant',
      copyright: 'Il porte atteinte à un droit d’auteur',
      personal: 'Il porte atteinte à ma vie privée',
      violence: 'Violence ou haine',
      other: 'Autre chose',
    },
    reasonMissing: 'Veuillez indiquer quel est le problème.',
    details: 'Précisions',
    detailsHint:
      'Ce que nous devons savoir, par exemple la loi enfreinte ou l’œuvre qui vous appartient. Au plus {maxCharacters} caractères.',
    detailsWrong: 'Veuillez dire en {maxCharacters} caractères au plus quel est le problème.',
    contact: 'Comment vous joindre (facultatif)',
    contactHint: 'Par exemple une adresse e-mail, si vous souhaitez une réponse.',
    contactWrong: 'Veuillez utiliser au plus {maxCharacters} caractères.',
    submit: 'Envoyer le signalement',
    tooMany:
      'Vous avez envoyé beaucoup de signalements en peu de temps. Celui-ci n’est pas encore envoyé\u202f: veuillez réessayer dans quelques minutes.',
    unreadable:
      'Nous n’avons pas pu lire ce formulaire. Veuillez le remplir à nouveau, avec un texte plus court s’il était long.',
    done: { heading: 'Merci', explanation: 'Votre signalement est arrivé. Nous l’examinerons dès que possible.' },
  },
}
