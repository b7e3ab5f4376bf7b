import type { Messages } from '../messages.ts'

export const de: Messages = {
  adultContent: 'Inhalt für Erwachsene',
  adultContentInGallery: 'Diese Galerie enthält Inhalte für Erwachsene',
  untitledGallery: 'Galerie ohne Titel',
  gallery: 'Galerie',

  uploaded: 'Hochgeladen',
  dimensions: 'Größe',
  pixels: (width, height) => `${width} × ${height} Pixel`,
  share: 'Teilen',
  shareLink: 'Link',
  shareBbcode: 'BBCode für Foren',
  shareHtml: 'HTML für Websites',

  imageCount: { one: '{count} Bild', other: '{count} Bilder' },
  pageOf: (page, pageCount) => `Seite ${page} von ${pageCount}`,
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
      deleteButton: 'Bild endgültig löschen',
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
      deleteButton: 'Galerie und alle Bilder endgültig löschen',
      deleted: {
        heading: 'Die Galerie ist gelöscht',
        explanation: 'Auch alle ihre Bilder sind gelöscht. Diese Adresse wird nicht mehr gebraucht.',
      },
    },
  },
  publicPage: 'Öffentliche Seite',
  rename: 'Galerie umbenennen',
  nameLabel: 'Name',
  nameHint: (maxCharacters) =>
    `Höchstens ${maxCharacters} Zeichen, keine Emojis, kein < oder >. Der Name darf leer sein. Die Adresse bleibt gleich.`,
  renameButton: 'Umbenennen',
  renamed: 'Die Galerie hat ihren neuen Namen.',
  invalidName: (maxCharacters) =>
    `Dieser Name geht nicht: höchstens ${maxCharacters} Zeichen, keine Emojis, keine Zeilenumbrüche oder Steuerzeichen, kein < oder >.`,

  missingPicture: {
    heading: 'Dieses Bild gibt es nicht',
    explanation: 'Es wurde gelöscht, ist noch nicht öffentlich, oder die Adresse stimmt nicht.',
  },
  missingGallery: {
    heading: 'Diese Galerie gibt es nicht',
    explanation: 'Sie wurde gelöscht, ist noch nicht öffentlich, oder die Adresse stimmt nicht.',
  },
  notFound: { heading: 'Hier ist nichts', explanation: 'Bitte die Adresse prüfen.' },
  gone: {
    heading: 'Schon gelöscht',
    explanation: 'Was über diese Adresse verwaltet wurde, ist gelöscht. Sie wird nicht mehr gebraucht.',
  },
  error: {
    heading: 'Da ging etwas schief',
    explanation: 'Der Fehler liegt bei uns. Bitte gleich noch einmal versuchen.',
  },
  requestId: 'Nummer dieser Anfrage, falls du den Fehler meldest',
  homeLink: 'Zur Startseite',

  home: {
    heading: 'Ein Zuhause für deine Bilder',
    summary: 'Ein Bild senden, eine Seite zum Teilen und ein Vorschaubild bekommen. Ohne Konto, ohne Schlüssel.',
    formatsAndLimits: 'Formate und Grenzen',
    formats: (formats) => `Formate: ${formats}`,
    fileSize: (size) => `Höchstens ${size} je Bild`,
    pixelCount: (megapixels) => `Höchstens ${megapixels} Millionen Pixel je Bild`,
    thumbnails: (min, max) => `Vorschaubilder von ${min} bis ${max} Pixel`,
    galleries: (hours) => `Galerien, die ${hours} Stunden lang Bilder annehmen und dann öffentlich werden`,
    api: 'Für Programme',
    apiSummary: 'Bilder kommen über eine HTTP-Schnittstelle. Mehr braucht es nicht:',
  },
}
