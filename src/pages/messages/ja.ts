import type { Messages } from '../messages.ts'

export const ja: Messages = {
  adultContent: '成人向けコンテンツ',
  adultContentInGallery: 'このギャラリーには成人向けの画像が含まれています',
  untitledGallery: '無題のギャラリー',
  gallery: 'ギャラリー',

  uploaded: 'アップロード日',
  dimensions: 'サイズ',
  pixels: (width, height) => `${width} × ${height} ピクセル`,
  share: '共有',
  shareLink: 'リンク',
  shareBbcode: '掲示板用 BBCode',
  shareHtml: 'ウェブサイト用 HTML',

  imageCount: { other: '{count} 枚の画像' },
  pageOf: (page, pageCount) => `${pageCount} ページ中 ${page} ページ目`,
  pages: 'ページ',
  previousPage: '前のページ',
  nextPage: '次のページ',

  managed: {
    image: {
      heading: '画像の管理',
      explanation: 'このページのアドレスを知っている人は、誰でも画像を削除できます。他の人に教えないでください。',
      deleteHeading: '画像を削除する',
      deleteWarning: '画像とそのページ、サムネイルが完全に削除されます。元に戻すことはできません。',
      deleteButton: '画像を完全に削除する',
      deleted: {
        heading: '画像を削除しました',
        explanation: '画像のページには、削除されたことが表示されます。このアドレスはもう使えません。',
      },
    },
    gallery: {
      heading: 'ギャラリーの管理',
      explanation:
        'このページのアドレスを知っている人は、誰でもギャラリーの名前を変更したり、ギャラリーを削除したりできます。他の人に教えないでください。',
      deleteHeading: 'ギャラリーを削除する',
      deleteWarning: 'ギャラリーと、その中のすべての画像が完全に削除されます。元に戻すことはできません。',
      deleteButton: 'ギャラリーと画像を完全に削除する',
      deleted: {
        heading: 'ギャラリーを削除しました',
        explanation: '中の画像もすべて削除されました。このアドレスはもう使えません。',
      },
    },
  },
  publicPage: '公開ページ',
  rename: 'ギャラリーの名前を変更する',
  nameLabel: '名前',
  nameHint: (maxCharacters) =>
    `${maxCharacters} 文字以内。絵文字と < > は使えません。空でもかまいません。アドレスは変わりません。`,
  renameButton: '変更する',
  renamed: 'ギャラリーの名前を変更しました。',
  invalidName: (maxCharacters) =>
    `この名前は使えません。${maxCharacters} 文字以内で、絵文字、改行、制御文字、< > を含めずに入力してください。`,

  missingPicture: {
    heading: 'この画像は存在しません',
    explanation: '削除されたか、まだ公開されていないか、アドレスが間違っています。',
  },
  missingGallery: {
    heading: 'このギャラリーは存在しません',
    explanation: '削除されたか、まだ公開されていないか、アドレスが間違っています。',
  },
  notFound: { heading: 'ここには何もありません', explanation: 'アドレスをご確認ください。' },
  gone: {
    heading: 'すでに削除されています',
    explanation: 'このアドレスで管理していたものは削除されました。このアドレスはもう使えません。',
  },
  error: {
    heading: '問題が発生しました',
    explanation: 'サーバー側のエラーです。しばらくしてからもう一度お試しください。',
  },
  requestId: 'お問い合わせの際のリクエスト番号',
  homeLink: 'トップページへ',

  home: {
    heading: 'あなたの画像の居場所',
    summary: '画像を送ると、共有用のページとサムネイルができます。アカウントもキーも不要です。',
    formatsAndLimits: '形式と制限',
    formats: (formats) => `形式：${formats}`,
    fileSize: (size) => `画像 1 枚あたり最大 ${size}`,
    pixelCount: (megapixels) => `画像 1 枚あたり最大 ${megapixels} メガピクセル`,
    thumbnails: (min, max) => `サムネイルは ${min}～${max} ピクセル`,
    galleries: (hours) => `ギャラリーは ${hours} 時間画像を受け付け、その後公開されます`,
    api: 'プログラムから使う',
    apiSummary: '画像は HTTP API で受け付けます。必要なのはこれだけです：',
  },
}
