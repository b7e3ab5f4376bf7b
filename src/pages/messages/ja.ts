import type { Messages } from '../shell/message-types.ts'

export const ja: Messages = {
  homeLink: 'トップページへ',
  skipToContent: '本文へ移動',
  languages: '言語',
  reportLink: '違法なコンテンツを報告する',
  menu: '言語と外観',
  theme: '外観',
  themes: { auto: '端末に合わせる', light: 'ライト', dark: 'ダーク' },
  tools: 'ツール',
  runBy: (name) => `運営：${name}`,
  legal: { terms: '利用規約', privacy: 'プライバシー', imprint: '運営者情報', contact: 'お問い合わせ' },

  adultContent: '成人向けコンテンツ',
  adultContentInGallery: 'このギャラリーには成人向けの画像が含まれています',
  adultContentMarkedBy: 'アップロードした人による指定です。',
  showAdultPicture: '画像を表示する',
  showAdultPictures: '画像を表示する',
  untitledGallery: '無題のギャラリー',
  gallery: 'ギャラリー',

  picture: {
    facts: 'この画像について',
    dimensions: '画像サイズ',
    pixels: (width, height) => `${width} × ${height}`,
    fileSize: 'ファイルサイズ',
    format: '形式',
    uploaded: 'アップロード日',
    fullSize: '原寸で表示',
    openOriginal: '元の画像を開く',
    download: 'ダウンロード',
    positionIn: (position, count) => `${count} 枚中 ${position} 枚目、`,
    neighbours: 'このギャラリーの画像',
    previous: '前の画像',
    next: '次の画像',
  },

  viewer: {
    title: '画像',
    slideshow: 'スライドショー',
    close: '閉じる',
  },

  codes: {
    heading: '共有',
    link: 'リンク',
    links: 'リンク',
    ofAllPictures: 'すべての画像のコード',
    page: 'ページ',
    file: 'ファイル',
    codes: '埋め込みコード',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'リンク付きサムネイル',
    full: '元のサイズの画像',
    copy: 'コピー',
    copied: 'コピーしました',
    copyFailed: 'Ctrl+C でコピーしてください',
    copyOf: (what) => `コピー：${what}`,
  },

  imageCount: { other: '{count} 枚の画像' },
  pageOf: (page, pageCount) => `${pageCount} ページ中 ${page} ページ目`,
  downloadAll: 'すべてダウンロード',
  downloadPart: (part, parts) => `${parts} 個中 ${part} 個目をダウンロード`,
  pages: 'ページ',
  previousPage: '前のページ',
  nextPage: '次のページ',

  managed: {
    image: {
      heading: '画像の管理',
      explanation: 'このページのアドレスを知っている人は、誰でも画像を削除できます。他の人に教えないでください。',
      deleteHeading: '画像を削除する',
      deleteWarning: '画像とそのページ、サムネイルが完全に削除されます。元に戻すことはできません。',
      deleteButton: '画像を削除する',
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
      deleteButton: 'ギャラリーと画像を削除',
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
  confirmDelete: 'はい、完全に削除します',
  confirmMissing: 'まだ何も削除されていません。チェックボックスにチェックを入れてから削除してください。',

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
  limitReached: {
    heading: '一度に多すぎます',
    explanation:
      'この 1 時間にお使いのネットワークから届いた量が、このサービスの上限を超えました。しばらくしてからもう一度お試しください。',
  },
  foreignForm: {
    heading: 'このフォームは別のサイトから送られました',
    explanation: '何も行われていません。こちらのページを開き、そのフォームから送ってください。',
  },
  badRequest: {
    heading: 'うまくいきませんでした',
    explanation: 'フォームの内容がすべて届きませんでした。前のページに戻って、もう一度お試しください。',
  },
  error: {
    heading: '問題が発生しました',
    explanation: 'サーバー側のエラーです。しばらくしてからもう一度お試しください。',
  },
  requestId: 'お問い合わせの際のリクエスト番号',

  upload: {
    heading: 'あなたの画像の居場所',
    summary: '画像をリンクで共有できます。アカウントも広告もトラッキングもありません。',
    choose: '画像を選択',
    chooseFolder: 'フォルダーを選択',
    takePhoto: '写真を撮る',
    dropOrPaste: 'または、ページ上にドロップするか、貼り付けてください',
    dropHere: '画像をここにドロップしてください',
    accepted: (formats, size) => `${formats}、1 枚あたり ${size} まで`,
    options: 'オプション',
    adult: '成人向けコンテンツ',
    adultHint: '見る人が表示を選ぶまで、画像は隠されます。',
    strip: '位置情報とカメラの情報を取り除く',
    stripHint: '送信する前に、お使いのブラウザの中で行います。画像そのものは変わりません。',
    stripPlain: '位置情報とカメラの情報を取り除き、大きな写真を小さくする',
    hasLocation: '位置情報あり',
    losesLocation: '位置情報を取り除きます',
    smaller: 'ファイルを小さくする',
    smallerHint: '大きな写真は縮小され、撮影場所などのメタデータは取り除かれます。',
    previewSize: 'プレビューの大きさ',
    previewSizes: { small: '小', medium: '中', large: '大' },
    privateLinks: 'あとで削除するための非公開リンク',
    privateLinksHint: 'アップロードの直後に一度だけ表示されます。',
    oneGallery: 'すべてを 1 つのギャラリーにまとめる',
    galleryName: 'ギャラリーの名前',
    galleryHint: '空でもかまいません。',
    start: { other: '{count} 枚の画像をアップロード' },
    startOne: 'アップロード',
    addMore: 'さらに追加',
    clear: '最初からやり直す',

    files: '選択した画像',
    waiting: '待機中',
    sending: (percent) => `送信中（${percent}）`,
    processing: '送信完了、処理中',
    done: '完了',
    remove: (name) => `${name} を一覧から削除`,
    retry: (name) => `${name} を再試行`,
    retryButton: '再試行',
    retryAll: '失敗した画像をすべて再試行',
    finishAnyway: 'このまま完了',
    pause: '一時停止',
    stopped: '一時停止中',
    resume: '続ける',
    offline: '接続がありません。接続が戻ると自動で再開します。',
    held: '接続を待っています',

    progress: (done, total) => `${total} 枚中 ${done} 枚をアップロードしました`,
    allDone: { other: '{count} 枚の画像をアップロードしました。' },
    someFailed: { other: '{count} 枚の画像をアップロードできませんでした。' },
    paused: {
      limited: (time) =>
        `お使いのネットワークから一度に届いた量が、このサービスの上限を超えました。${time} に自動で再開します。`,
      busy: (time) => `サービスが混み合っています。${time} に自動で再開します。`,
    },

    results: '共有の準備ができました',
    galleryReady: '作成したギャラリー',
    codesShow: 'コードに表示する画像',
    allPictures: 'すべての画像',
    openPage: 'ページを開く',
    another: 'さらにアップロード',
    saved: (before, after, percent) => `${before} から ${after} になりました（${percent} 削減）`,
    notSmaller: 'これ以上小さくなりませんでした',
    resized: (width, height) => `${width} × ${height} ピクセルに縮小`,

    managementHeading: '非公開リンク',
    managementWarning:
      'これらのリンクを今すぐ保存してください。二度と表示されません。リンクを知っている人は、誰でもリンク先の画像やギャラリーを削除できます。',

    share: '共有…',
    open: '開く',
    copyLink: 'リンクをコピー',
    qrCode: 'QR コード',
    remembered: 'この端末に記録しました',
    dontRemember: '記録しない',
    remember: 'この端末に記録する',
    managementHint: 'このリンクを知っている人は、リンク先を削除できます。他の人に教えないでください。',

    startingOver: {
      sent: { other: '{count} 枚の画像はすでにアップロードされています。' },
      question: '送信済みの画像をどうしますか？',
      delete: '送信した画像を削除する',
      keep: '残す',
      cancel: 'キャンセル',
      deleted: {
        other: '{count} 枚の画像を削除しました。',
      },
      failed: {
        other: '{count} 枚の画像を削除できませんでした。もう一度お試しください。',
      },
    },

    shared: {
      heading: '別のアプリから共有された画像',
      add: '追加',
      discard: '破棄',
      left: { other: '{count} 個のファイルは含まれていません。' },
      limit: (files, size) =>
        `一度に共有できるのは ${files} 個のファイル、合計 ${size} までで、端末に空き容量が必要です。`,
    },

    unfit: {
      heading: { other: '{count} 個のファイルはそのままではアップロードできません' },
      tooBig: (size, megapixels) => `${size} または ${megapixels} メガピクセルを超えています。`,
      makeSmaller: '小さくする',
      convertible: 'この形式はアップロードできませんが、お使いのブラウザで変換できます。',
      convert: 'JPEG に変換する',
      unreadable: 'この形式はアップロードできず、お使いのブラウザでは変換できません。先に JPEG で保存してください。',
      curing: 'お待ちください…',
      failed: (name) => `${name} はこのブラウザで読み取れませんでした。`,
      close: '閉じる',
      fetching: '画像を取得しています。',
      fetchFailed:
        'このアドレスのサーバーは、他のサイトに画像を渡しません。画像を保存してから、ここで選択してください。',
    },

    moved: (name, position, total) => `${name} は ${total} 枚中 ${position} 枚目です`,
    orderHint: '画像をドラッグするか、Alt と矢印キーで並べ替えられます。',

    errors: {
      network: '接続が切れました。もう一度お試しください。',
      tooLarge: (size) => `ファイルが ${size} を超えています。`,
      notAPicture: (formats) => `対応していない画像です。使える形式は ${formats} です。`,
      damaged: '画像が壊れているか、ピクセル数が多すぎます。',
      galleryGone: 'このギャラリーにはもう画像を追加できません。新しいギャラリーを作成してください。',
      missing: '先に画像を選択してください。',
      notStripped:
        '位置情報とカメラの情報を取り除けなかったため、送信しませんでした。そのまま送信するには、このオプションを外して最初からやり直してください。',
      server: 'サーバー側のエラーです。しばらくしてからもう一度お試しください。',
      galleryName: 'このギャラリー名は使えません。255 文字以内で、絵文字と < > を含めずに入力してください。',
    },

    limits: {
      heading: '知っておくと便利なこと',
      pixelCount: (megapixels) => `画像は最大 ${megapixels} メガピクセルまでです。`,
      galleries: (hours) => `ギャラリーが画像を受け付けるのは最長 ${hours} 時間です。その後は自動的に公開されます。`,
      forPrograms: 'プログラムからもアップロードできます：',
    },
  },

  uploads: {
    heading: 'アップロード履歴',
    explanation: 'この端末のみ。一覧はこのブラウザにだけ保存され、送信されることはありません。',
    empty: 'まだ何もありません。このブラウザでアップロードしたものがここに表示されます。',
    needsScript: '一覧はお使いのブラウザに保存され、そこで作られます。JavaScript が必要です。',
    filter: '名前で絞り込む',
    delete: '削除',
    deleteName: (name) => `${name} を削除`,
    deleteQuestion: (name) => `${name} を完全に削除しますか？`,
    deleted: (name) => `${name} を削除しました。`,
    deleteFailed: '削除できませんでした。しばらくしてからもう一度お試しください。',
    deleteUnknown: 'このサービスではこの非公開リンクを確認できません。項目は一覧に残ります。',
    forgetAll: 'すべて忘れる',
    forgetQuestion:
      'すべて忘れますか？画像は公開されたままで、非公開リンクがないと誰も削除できません。残すには、先に一覧を書き出してください。',
    export: '書き出す',
    import: '読み込む',
    imported: { other: '{count} 件を追加しました。' },
    importFailed: 'このファイルにはアップロードの一覧がありません。',
  },

  embed: {
    button: '画像を追加',
    explanation: (site) => `ここでアップロードした画像は、${site} の文章に入ります。`,
    insert: '文章に挿入',
    lost: '文章のページに届きません。代わりにコードをコピーしてください。',
  },

  report: {
    heading: '違法なコンテンツを報告する',
    explanation:
      'ここにあるべきではない画像やギャラリーをお知らせください。報告はすべて人が確認します。アカウントは不要です。ここにご記入いただいた内容以外、報告者の情報は保存しません。',
    url: '画像またはギャラリーのアドレス',
    urlHint: 'ブラウザーのアドレスバーからコピーしてください。',
    urlWrong:
      '当サイトの画像またはギャラリーのアドレスではありません。ブラウザーのアドレスバーからアドレス全体をコピーしてください。',
    notFound:
      'このアドレスに画像やギャラリーはありません。すでに削除された可能性があります。そうでない場合は、アドレスをご確認ください。',
    reason: 'どのような問題ですか',
    reasons: {
      illegal: '法律に違反している',
      child: '児童の性的虐待',
      copyright: '著作権を侵害している',
      personal: '自分のプライバシーを侵害している',
      violence: '暴力または憎悪',
      other: 'その他',
    },
    reasonMissing: '問題の種類を選んでください。',
    details: '詳細',
    detailsHint: (maxCharacters) =>
      `違反している法律や、ご自身の著作物など、知っておくべきことをご記入ください。${maxCharacters} 文字まで。`,
    detailsWrong: (maxCharacters) => `どのような問題かを ${maxCharacters} 文字以内でご記入ください。`,
    contact: 'ご連絡先（任意）',
    contactHint: '返信をご希望の場合は、メールアドレスなどをご記入ください。',
    contactWrong: (maxCharacters) => `${maxCharacters} 文字以内でご記入ください。`,
    submit: '報告を送信',
    tooMany: '短時間に多くの報告が送信されました。この報告はまだ送信されていません。数分後にもう一度お試しください。',
    unreadable: 'フォームを読み取れませんでした。もう一度ご記入ください。文章が長い場合は短くしてください。',
    done: { heading: 'ありがとうございます', explanation: '報告を受け付けました。できるだけ早く確認します。' },
  },
}
