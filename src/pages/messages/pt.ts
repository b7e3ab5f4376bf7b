import type { Messages } from '../shell/message-types.ts'

export const pt: Messages = {
  homeLink: 'Ir para a página inicial',
  skipToContent: 'Ir para o conteúdo',
  languages: 'Idiomas',
  reportLink: 'Denunciar conteúdo ilegal',
  menu: 'Idioma e aparência',
  theme: 'Aparência',
  themes: { auto: 'Como o dispositivo', light: 'Claro', dark: 'Escuro' },
  tools: 'Ferramentas',
  runBy: (name) => `Mantido por ${name}`,
  legal: { terms: 'Termos de uso', privacy: 'Privacidade', imprint: 'Aviso legal', contact: 'Contato' },

  adultContent: 'Conteúdo adulto',
  adultContentInGallery: 'Esta galeria tem conteúdo adulto',
  adultContentMarkedBy: 'Marcado assim por quem o enviou.',
  showAdultPicture: 'Mostrar a imagem',
  showAdultPictures: 'Mostrar as imagens',
  untitledGallery: 'Galeria sem título',
  gallery: 'Galeria',

  picture: {
    facts: 'Sobre esta imagem',
    dimensions: 'Dimensões',
    pixels: (width, height) => `${width} × ${height}`,
    fileSize: 'Tamanho do arquivo',
    format: 'Formato',
    uploaded: 'Enviada em',
    fullSize: 'Tamanho real',
    openOriginal: 'Abrir o original',
    download: 'Baixar',
    positionIn: (position, count) => `${position} de ${count} em`,
    neighbours: 'Imagens desta galeria',
    previous: 'Imagem anterior',
    next: 'Próxima imagem',
  },

  viewer: {
    title: 'Imagem',
    slideshow: 'Apresentação',
    close: 'Fechar',
  },

  codes: {
    heading: 'Compartilhar',
    link: 'Link',
    links: 'Links',
    ofAllPictures: 'Códigos de todas as imagens',
    page: 'Página',
    file: 'Arquivo',
    codes: 'Códigos',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Miniatura com link',
    full: 'Imagem completa',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'Use Ctrl+C para copiar',
    copyOf: (what) => `Copiar: ${what}`,
  },

  imageCount: { one: '{count} imagem', many: '{count} de imagens', other: '{count} imagens' },
  pageOf: (page, pageCount) => `Página ${page} de ${pageCount}`,
  downloadAll: 'Baixar tudo',
  downloadPart: (part, parts) => `Baixar a parte ${part} de ${parts}`,
  pages: 'Páginas',
  previousPage: 'Página anterior',
  nextPage: 'Próxima página',

  managed: {
    image: {
      heading: 'Gerenciar sua imagem',
      explanation: 'Quem tiver o endereço desta página pode excluir a imagem. Não o compartilhe.',
      deleteHeading: 'Excluir a imagem',
      deleteWarning: 'A imagem, sua página e sua miniatura desaparecem para sempre. Não é possível desfazer.',
      deleteButton: 'Excluir a imagem',
      deleted: {
        heading: 'A imagem foi excluída',
        explanation: 'A página dela agora informa isso. Este endereço não serve mais.',
      },
    },
    gallery: {
      heading: 'Gerenciar sua galeria',
      explanation: 'Quem tiver o endereço desta página pode renomear ou excluir a galeria. Não o compartilhe.',
      deleteHeading: 'Excluir a galeria',
      deleteWarning: 'A galeria desaparece para sempre, com todas as suas imagens. Não é possível desfazer.',
      deleteButton: 'Excluir a galeria e suas imagens',
      deleted: {
        heading: 'A galeria foi excluída',
        explanation: 'Todas as suas imagens também foram excluídas. Este endereço não serve mais.',
      },
    },
  },
  publicPage: 'Página pública',
  rename: 'Renomear a galeria',
  nameLabel: 'Nome',
  nameHint: (maxCharacters) =>
    `No máximo ${maxCharacters} caracteres, sem emojis e sem < ou >. Pode ficar vazio. O endereço não muda.`,
  renameButton: 'Renomear',
  renamed: 'A galeria está com o novo nome.',
  invalidName: (maxCharacters) =>
    `Este nome não serve: no máximo ${maxCharacters} caracteres, sem emojis, quebras de linha ou caracteres de controle, sem < ou >.`,
  confirmDelete: 'Sim, excluir para sempre',
  confirmMissing: 'Nada foi excluído ainda. Primeiro marque a caixa, depois exclua.',

  missingPicture: {
    heading: 'Esta imagem não existe',
    explanation: 'Ela foi excluída, ainda não é pública, ou o endereço está errado.',
  },
  missingGallery: {
    heading: 'Esta galeria não existe',
    explanation: 'Ela foi excluída, ainda não é pública, ou o endereço está errado.',
  },
  notFound: { heading: 'Não há nada aqui', explanation: 'Confira o endereço.' },
  gone: {
    heading: 'Já foi excluído',
    explanation: 'O que este endereço permitia gerenciar foi excluído. Ele não serve mais.',
  },
  limitReached: {
    heading: 'Foi muito de uma vez',
    explanation: 'Na última hora chegou da sua rede mais do que este serviço aceita. Tente de novo daqui a pouco.',
  },
  foreignForm: {
    heading: 'Este formulário veio de outro site',
    explanation: 'Nada foi feito. Abra a página aqui e envie o formulário dela.',
  },
  badRequest: {
    heading: 'Não deu certo',
    explanation: 'O formulário não chegou inteiro. Volte e tente de novo.',
  },
  error: { heading: 'Algo deu errado', explanation: 'O erro é nosso. Tente de novo em instantes.' },
  requestId: 'Número desta solicitação, caso você avise sobre o erro',

  upload: {
    heading: 'Um lar para as suas imagens',
    summary: 'Compartilhe uma imagem com um link. Sem conta, sem publicidade, sem rastreamento.',
    choose: 'Escolher imagens',
    chooseFolder: 'Escolher uma pasta',
    takePhoto: 'Tirar uma foto',
    dropOrPaste: 'ou solte-as em qualquer lugar, ou cole uma',
    dropHere: 'Solte as imagens em qualquer lugar',
    accepted: (formats, size) => `${formats}, até ${size} cada`,
    options: 'Opções',
    adult: 'Conteúdo adulto',
    adultHint: 'As imagens ficam ocultas até que alguém queira vê-las.',
    strip: 'Remover a localização e os dados da câmera',
    stripHint: 'No seu navegador, antes de enviar qualquer coisa. A imagem em si não muda.',
    stripPlain: 'Remover a localização e os dados da câmera, e reduzir fotos grandes',
    hasLocation: 'Contém uma localização',
    losesLocation: 'A localização é removida',
    smaller: 'Arquivos menores',
    smallerHint: 'Fotos grandes são reduzidas, e metadados como o local são removidos.',
    previewSize: 'Tamanho da prévia',
    previewSizes: { small: 'Pequeno', medium: 'Médio', large: 'Grande' },
    privateLinks: 'Links privados para excluir mais tarde',
    privateLinksHint: 'Eles aparecem uma única vez, logo após o envio.',
    oneGallery: 'Uma galeria para todas',
    galleryName: 'Nome da galeria',
    galleryHint: 'Pode ficar vazio.',
    start: {
      one: 'Enviar {count} imagem',
      many: 'Enviar {count} de imagens',
      other: 'Enviar {count} imagens',
    },
    startOne: 'Enviar',
    addMore: 'Adicionar mais',
    clear: 'Recomeçar',

    files: 'Suas imagens',
    waiting: 'Na fila',
    sending: (percent) => `Enviando, ${percent}`,
    processing: 'Recebida, em processamento',
    done: 'Pronta',
    remove: (name) => `Remover ${name}`,
    retry: (name) => `Tentar ${name} de novo`,
    retryButton: 'Tentar de novo',
    retryAll: 'Tentar de novo todas as que falharam',
    finishAnyway: 'Concluir mesmo assim',
    pause: 'Pausar',
    stopped: 'Em pausa',
    resume: 'Continuar',
    offline: 'Sem conexão. O envio continua sozinho quando ela voltar.',
    held: 'Aguarda a conexão',

    progress: (done, total) => `${done} de ${total} enviadas`,
    allDone: {
      one: '{count} imagem foi enviada.',
      many: 'Todos os {count} de imagens foram enviados.',
      other: 'Todas as {count} imagens foram enviadas.',
    },
    someFailed: {
      one: 'Não foi possível enviar {count} imagem.',
      many: 'Não foi possível enviar {count} de imagens.',
      other: 'Não foi possível enviar {count} imagens.',
    },
    paused: {
      limited: (time) =>
        `Chegou da sua rede mais do que este serviço aceita de uma vez. O envio continua sozinho às ${time}.`,
      busy: (time) => `O serviço está ocupado. O envio continua sozinho às ${time}.`,
    },

    results: 'Pronto para compartilhar',
    galleryReady: 'Sua galeria',
    codesShow: 'Os códigos mostram',
    allPictures: 'Todas as imagens',
    openPage: 'Abrir a página',
    another: 'Enviar mais',
    saved: (before, after, percent) => `De ${before} para ${after}, ${percent} a menos`,
    notSmaller: 'Não dava para reduzir mais',
    resized: (width, height) => `reduzida para ${width} × ${height} pixels`,

    managementHeading: 'Links privados',
    managementWarning:
      'Salve estes links agora: eles não serão mostrados de novo. Quem tiver um deles pode excluir a imagem ou galeria a que ele leva.',

    share: 'Compartilhar…',
    open: 'Abrir',
    copyLink: 'Copiar o link',
    qrCode: 'Código QR',
    remembered: 'Lembrado neste dispositivo',
    dontRemember: 'Não lembrar',
    remember: 'Lembrar neste dispositivo',
    managementHint: 'Quem tiver um link desses pode excluir aquilo a que ele leva. Guarde-o para você.',

    startingOver: {
      sent: {
        one: '{count} imagem já foi enviada.',
        many: '{count} de imagens já foram enviadas.',
        other: '{count} imagens já foram enviadas.',
      },
      question: 'O que fazer com o que foi enviado?',
      delete: 'Excluir o que foi enviado',
      keep: 'Manter',
      cancel: 'Cancelar',
      deleted: {
        one: '{count} imagem foi excluída.',
        many: '{count} de imagens foram excluídas.',
        other: '{count} imagens foram excluídas.',
      },
      failed: {
        one: '{count} imagem não pôde ser excluída. Tente de novo.',
        many: '{count} de imagens não puderam ser excluídas. Tente de novo.',
        other: '{count} imagens não puderam ser excluídas. Tente de novo.',
      },
    },

    shared: {
      heading: 'Compartilhado de outro aplicativo',
      add: 'Adicionar',
      discard: 'Descartar',
      left: {
        one: '{count} arquivo ficou de fora.',
        many: '{count} de arquivos ficaram de fora.',
        other: '{count} arquivos ficaram de fora.',
      },
      limit: (files, size) =>
        `É possível compartilhar até ${files} arquivos e ${size} de uma vez, se houver espaço no dispositivo.`,
    },

    unfit: {
      heading: {
        one: '{count} arquivo não pode ser enviado como está',
        many: '{count} de arquivos não podem ser enviados como estão',
        other: '{count} arquivos não podem ser enviados como estão',
      },
      tooBig: (size, megapixels) => `Maior que ${size} ou ${megapixels} megapixels.`,
      makeSmaller: 'Reduzir',
      convertible: 'Este formato não pode ser enviado, mas o seu navegador pode convertê-lo.',
      convert: 'Converter para JPEG',
      unreadable:
        'Este formato não pode ser enviado, e o seu navegador não consegue convertê-lo. Salve antes a imagem como JPEG.',
      curing: 'Um momento…',
      failed: (name) => `Não foi possível ler ${name} neste navegador.`,
      close: 'Fechar',
      fetching: 'A imagem está sendo buscada.',
      fetchFailed:
        'O servidor deste endereço não entrega suas imagens a outros sites. Salve a imagem e escolha-a aqui.',
    },

    moved: (name, position, total) => `${name} agora é a ${position} de ${total}`,
    orderHint: 'Arraste as imagens para ordená-las, ou pressione Alt e uma seta.',

    errors: {
      network: 'A conexão caiu. Tente de novo.',
      tooLarge: (size) => `O arquivo tem mais de ${size}.`,
      notAPicture: (formats) => `Não reconhecemos esta imagem. Aceitamos ${formats}.`,
      damaged: 'A imagem está danificada ou tem pixels demais.',
      galleryGone: 'A galeria não aceita mais imagens. Comece uma nova.',
      missing: 'Primeiro, escolha uma imagem.',
      notStripped:
        'Não foi possível remover a localização e os dados da câmera, por isso a imagem não foi enviada. Para enviá-la como está, recomece sem essa opção.',
      server: 'O erro é nosso. Tente de novo em instantes.',
      galleryName: 'Este nome de galeria não serve: no máximo 255 caracteres, sem emojis e sem < ou >.',
    },

    limits: {
      heading: 'Bom saber',
      pixelCount: (megapixels) => `As imagens podem ter até ${megapixels} milhões de pixels.`,
      galleries: (hours) =>
        `Uma galeria aceita imagens por no máximo ${hours} horas; depois, torna-se pública automaticamente.`,
      forPrograms: 'Programas também podem enviar imagens:',
    },
  },

  uploads: {
    heading: 'Seus envios',
    explanation: 'Neste dispositivo. A lista fica só neste navegador e nunca é enviada.',
    empty: 'Ainda não há nada aqui. O que você enviar neste navegador aparece aqui.',
    needsScript: 'A lista é guardada e criada no seu navegador, e isso exige JavaScript.',
    filter: 'Filtrar por nome',
    delete: 'Excluir',
    deleteName: (name) => `Excluir ${name}`,
    deleteQuestion: (name) => `Excluir ${name} para sempre?`,
    deleted: (name) => `${name} foi excluído.`,
    deleteFailed: 'Não foi possível excluir. Tente de novo em instantes.',
    deleteUnknown: 'Este serviço não reconhece o link privado. O item permanece na lista.',
    forgetAll: 'Esquecer tudo',
    forgetQuestion:
      'Esquecer tudo? As imagens continuam no ar, e sem seus links privados ninguém pode excluí-las. Exporte antes a lista para guardá-los.',
    export: 'Exportar',
    import: 'Importar',
    imported: {
      one: '{count} item foi adicionado.',
      many: '{count} de itens foram adicionados.',
      other: '{count} itens foram adicionados.',
    },
    importFailed: 'Este arquivo não contém uma lista de envios.',
  },

  embed: {
    button: 'Adicionar imagens',
    explanation: (site) => `O que você enviar aqui vai para o seu texto em ${site}.`,
    insert: 'Inserir no texto',
    lost: 'A página do seu texto não está mais acessível. Copie o código.',
  },

  report: {
    heading: 'Denunciar conteúdo ilegal',
    explanation:
      'Avise-nos sobre uma imagem ou galeria que não deveria estar aqui. Cada denúncia é lida por uma pessoa. Você não precisa de conta, e só guardamos sobre você o que escrever aqui.',
    url: 'Endereço da imagem ou galeria',
    urlHint: 'Copie-o da barra de endereços do navegador.',
    urlWrong:
      'Este não é o endereço de uma imagem ou galeria nossa. Copie o endereço completo da barra de endereços do navegador.',
    notFound:
      'Não há imagem nem galeria neste endereço. Talvez o conteúdo já tenha sido excluído; se não, confira o endereço.',
    reason: 'Qual é o problema?',
    reasons: {
      illegal: 'Viola a lei',
      child: 'Abuso sexual infantil',
      copyright: 'Viola direitos autorais',
      personal: 'Viola a minha privacidade',
      violence: 'Violência ou ódio',
      other: 'Outro motivo',
    },
    reasonMissing: 'Escolha qual é o problema.',
    details: 'Detalhes',
    detailsHint: (maxCharacters) =>
      `O que precisamos saber, por exemplo, qual lei é violada ou qual obra é sua. No máximo ${maxCharacters} caracteres.`,
    detailsWrong: (maxCharacters) => `Explique em no máximo ${maxCharacters} caracteres qual é o problema.`,
    contact: 'Como falar com você (opcional)',
    contactHint: 'Um endereço de e-mail, por exemplo, se quiser uma resposta.',
    contactWrong: (maxCharacters) => `Use no máximo ${maxCharacters} caracteres.`,
    submit: 'Enviar a denúncia',
    tooMany:
      'Você enviou muitas denúncias em pouco tempo. Esta ainda não foi enviada: tente de novo em alguns minutos.',
    unreadable:
      'Não conseguimos ler este formulário. Preencha-o mais uma vez, com um texto mais curto se ele era longo.',
    done: { heading: 'Agradecemos', explanation: 'Sua denúncia chegou. Vamos analisá-la assim que possível.' },
  },
}
