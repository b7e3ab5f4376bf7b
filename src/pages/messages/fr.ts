import type { Messages } from '../messages.ts'

export const fr: Messages = {
  adultContent: 'Contenu pour adultes',
  adultContentInGallery: 'Cette galerie contient des images pour adultes',
  untitledGallery: 'Galerie sans titre',
  gallery: 'Galerie',

  uploaded: 'Mise en ligne',
  dimensions: 'Dimensions',
  pixels: (width, height) => `${width} × ${height} pixels`,
  share: 'Partager',
  shareLink: 'Lien',
  shareBbcode: 'BBCode, pour les forums',
  shareHtml: 'HTML, pour les sites web',

  imageCount: { one: '{count} image', many: '{count} d’images', other: '{count} images' },
  pageOf: (page, pageCount) => `Page ${page} sur ${pageCount}`,
  pages: 'Pages',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',

  managed: {
    image: {
      heading: 'Gérer votre image',
      explanation: 'Quiconque connaît l’adresse de cette page peut supprimer l’image. Gardez-la pour vous.',
      deleteHeading: 'Supprimer l’image',
      deleteWarning: 'L’image, sa page et sa miniature disparaissent définitivement. Cette action est irréversible.',
      deleteButton: 'Supprimer définitivement l’image',
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
      deleteButton: 'Supprimer définitivement la galerie et ses images',
      deleted: {
        heading: 'La galerie est supprimée',
        explanation: 'Toutes ses images le sont aussi. Cette adresse ne sert plus à rien.',
      },
    },
  },
  publicPage: 'Page publique',
  rename: 'Renommer la galerie',
  nameLabel: 'Nom',
  nameHint: (maxCharacters) =>
    `Au plus ${maxCharacters} caractères, sans emoji ni < ou >. Le nom peut être vide. L’adresse reste la même.`,
  renameButton: 'Renommer',
  renamed: 'La galerie porte son nouveau nom.',
  invalidName: (maxCharacters) =>
    `Ce nom ne convient pas : au plus ${maxCharacters} caractères, sans emoji, saut de ligne ni caractère de contrôle, sans < ou >.`,

  missingPicture: {
    heading: 'Cette image n’existe pas',
    explanation: 'Elle a été supprimée, n’est pas encore publique, ou l’adresse est erronée.',
  },
  missingGallery: {
    heading: 'Cette galerie n’existe pas',
    explanation: 'Elle a été supprimée, n’est pas encore publique, ou l’adresse est erronée.',
  },
  notFound: { heading: 'Il n’y a rien ici', explanation: 'Veuillez vérifier l’adresse.' },
  gone: {
    heading: 'Déjà supprimé',
    explanation: 'Ce que cette adresse permettait de gérer a été supprimé. Elle ne sert plus à rien.',
  },
  error: { heading: 'Une erreur est survenue', explanation: 'Elle vient de nous. Veuillez réessayer dans un instant.' },
  requestId: 'Numéro de cette requête, si vous signalez l’erreur',
  homeLink: 'Vers la page d’accueil',

  home: {
    heading: 'Une maison pour vos images',
    summary: 'Envoyez une image, recevez une page à partager et une miniature. Sans compte, sans clé.',
    formatsAndLimits: 'Formats et limites',
    formats: (formats) => `Formats : ${formats}`,
    fileSize: (size) => `Au plus ${size} par image`,
    pixelCount: (megapixels) => `Au plus ${megapixels} millions de pixels par image`,
    thumbnails: (min, max) => `Miniatures de ${min} à ${max} pixels`,
    galleries: (hours) => `Des galeries qui reçoivent des images pendant ${hours} heures, puis deviennent publiques`,
    api: 'Pour les programmes',
    apiSummary: 'Les images arrivent par une API HTTP. Voici tout ce qu’il faut :',
  },
}
