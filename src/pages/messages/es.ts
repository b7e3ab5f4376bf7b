import type { Messages } from '../messages.ts'

export const es: Messages = {
  adultContent: 'Contenido para adultos',
  adultContentInGallery: 'Esta galería tiene contenido para adultos',
  untitledGallery: 'Galería sin título',
  gallery: 'Galería',

  uploaded: 'Subida',
  dimensions: 'Tamaño',
  pixels: (width, height) => `${width} × ${height} píxeles`,
  share: 'Compartir',
  shareLink: 'Enlace',
  shareBbcode: 'BBCode, para foros',
  shareHtml: 'HTML, para sitios web',

  imageCount: { one: '{count} imagen', many: '{count} de imágenes', other: '{count} imágenes' },
  pageOf: (page, pageCount) => `Página ${page} de ${pageCount}`,
  pages: 'Páginas',
  previousPage: 'Página anterior',
  nextPage: 'Página siguiente',

  managed: {
    image: {
      heading: 'Administrar tu imagen',
      explanation: 'Quien tenga la dirección de esta página puede eliminar la imagen. No la compartas.',
      deleteHeading: 'Eliminar la imagen',
      deleteWarning: 'La imagen, su página y su miniatura desaparecen para siempre. No se puede deshacer.',
      deleteButton: 'Eliminar la imagen para siempre',
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
      deleteButton: 'Eliminar la galería y sus imágenes para siempre',
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
  error: { heading: 'Algo salió mal', explanation: 'El error es nuestro. Inténtalo de nuevo en un momento.' },
  requestId: 'Número de esta solicitud, por si avisas del error',
  homeLink: 'A la página de inicio',

  home: {
    heading: 'Un hogar para tus imágenes',
    summary: 'Envía una imagen y recibe una página para compartir y una miniatura. Sin cuenta ni clave.',
    formatsAndLimits: 'Formatos y límites',
    formats: (formats) => `Formatos: ${formats}`,
    fileSize: (size) => `Como máximo ${size} por imagen`,
    pixelCount: (megapixels) => `Como máximo ${megapixels} millones de píxeles por imagen`,
    thumbnails: (min, max) => `Miniaturas de ${min} a ${max} píxeles`,
    galleries: (hours) => `Galerías que reciben imágenes durante ${hours} horas y después se hacen públicas`,
    api: 'Para programas',
    apiSummary: 'Las imágenes llegan por una API HTTP. Basta con esto:',
  },
}
