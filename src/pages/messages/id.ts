import type { Translation } from './types.ts'

export const id: Translation = {
  homeLink: 'Ke halaman depan',
  skipToContent: 'Langsung ke isi',
  languages: 'Bahasa',
  reportLink: 'Laporkan konten ilegal',
  menu: 'Bahasa dan tema',
  theme: 'Tema',
  themes: { auto: 'Seperti perangkat', light: 'Terang', dark: 'Gelap' },
  tools: 'Alat',
  runBy: 'Dikelola oleh {name}',
  legal: { terms: 'Ketentuan penggunaan', privacy: 'Privasi', imprint: 'Informasi hukum', contact: 'Kontak' },

  adultContent: 'Konten dewasa',
  adultContentInGallery: 'Galeri ini berisi konten dewasa',
  adultContentMarkedBy: 'Ditandai demikian oleh pengunggahnya.',
  showAdultImage: 'Tampilkan gambar',
  showAdultImages: 'Tampilkan semua gambar',
  untitledGallery: 'Galeri tanpa judul',
  gallery: 'Galeri',

  imagePage: {
    facts: 'Tentang gambar ini',
    dimensions: 'Dimensi',
    pixels: '{width} × {height}',
    fileSize: 'Ukuran berkas',
    format: 'Jenis berkas',
    uploaded: 'Diunggah',
    fullSize: 'Ukuran penuh',
    openOriginal: 'Buka berkas asli',
    download: 'Unduh',
    positionIn: '{position} dari {count} di',
    neighbours: 'Gambar di galeri ini',
    previous: 'Gambar sebelumnya',
    next: 'Gambar berikutnya',
  },

  viewer: {
    title: 'Gambar',
    slideshow: 'Tayangan slide',
    close: 'Tutup',
  },

  codes: {
    heading: 'Bagikan',
    link: 'Tautan',
    links: 'Semua tautan',
    ofAllImages: 'Kode semua gambar',
    page: 'Halaman',
    file: 'Berkas',
    codes: 'Kode',
    html: 'HTML',
    markdown: 'Markdown',
    bbcode: 'BBCode',
    thumbnail: 'Gambar mini dengan tautan',
    full: 'Gambar penuh',
    copy: 'Salin',
    copied: 'Tersalin',
    copyFailed: 'Tekan Ctrl+C untuk menyalin',
    copyOf: 'Salin: {what}',
  },

  imageCount: { other: '{count} gambar' },
  pageOf: 'Halaman {page} dari {pageCount}',
  downloadAll: 'Unduh semua',
  downloadPart: 'Unduh bagian {part} dari {parts}',
  pages: 'Daftar halaman',
  previousPage: 'Halaman sebelumnya',
  nextPage: 'Halaman berikutnya',

  managed: {
    image: {
      heading: 'Kelola gambar Anda',
      explanation: 'Siapa pun yang memiliki alamat halaman ini dapat menghapus gambar. Simpan untuk Anda sendiri.',
      deleteHeading: 'Hapus gambar',
      deleteWarning: 'Gambar, halamannya, dan gambar mininya hilang untuk selamanya. Ini tidak dapat dibatalkan.',
      deleteButton: 'Hapus gambar',
      deleted: {
        heading: 'Gambar telah dihapus',
        explanation: 'Mulai sekarang halamannya menyatakan demikian. Alamat ini tidak berguna lagi.',
      },
    },
    gallery: {
      heading: 'Kelola galeri Anda',
      explanation:
        'Siapa pun yang memiliki alamat halaman ini dapat mengganti nama atau menghapus galeri. Simpan untuk Anda sendiri.',
      deleteHeading: 'Hapus galeri',
      deleteWarning: 'Galeri hilang untuk selamanya, begitu pula semua gambar di dalamnya. Ini tidak dapat dibatalkan.',
      deleteButton: 'Hapus galeri beserta gambarnya',
      deleted: {
        heading: 'Galeri telah dihapus',
        explanation: 'Semua gambarnya juga dihapus. Alamat ini tidak berguna lagi.',
      },
    },
  },
  publicPage: 'Halaman publik',
  rename: 'Ganti nama galeri',
  nameLabel: 'Nama',
  nameHint:
    'Paling banyak {maxCharacters} karakter, tanpa emoji dan tanpa < atau >. Boleh kosong. Alamatnya tetap sama.',
  renameButton: 'Ganti nama',
  renamed: 'Galeri sudah memiliki nama baru.',
  invalidName:
    'Nama ini tidak dapat dipakai: paling banyak {maxCharacters} karakter, tanpa emoji, ganti baris, atau karakter kendali, tanpa < atau >.',
  confirmDelete: 'Ya, hapus untuk selamanya',
  confirmMissing: 'Belum ada yang dihapus. Centang kotaknya dahulu, lalu hapus.',

  missingImage: {
    heading: 'Tidak ada gambar di sini',
    explanation: 'Gambar sudah dihapus, belum publik, atau alamatnya salah.',
  },
  missingGallery: {
    heading: 'Tidak ada galeri di sini',
    explanation: 'Galeri sudah dihapus, belum publik, atau alamatnya salah.',
  },
  notFound: { heading: 'Tidak ada apa-apa di sini', explanation: 'Mohon periksa alamatnya.' },
  deletedNotice: {
    heading: 'Sudah dihapus',
    explanation: 'Yang dikelola alamat ini sudah dihapus. Alamat ini tidak berguna lagi.',
  },
  limitReached: {
    heading: 'Itu terlalu banyak sekaligus',
    explanation:
      'Dalam satu jam terakhir, yang datang dari jaringan Anda lebih banyak daripada yang diterima layanan ini. Mohon coba lagi nanti.',
  },
  foreignForm: {
    heading: 'Formulir ini berasal dari situs lain',
    explanation: 'Tidak ada yang dilakukan. Mohon buka halamannya di sini dan kirim formulirnya sendiri.',
  },
  badRequest: {
    heading: 'Itu tidak berhasil',
    explanation: 'Formulir tidak sampai secara utuh. Mohon kembali dan coba lagi.',
  },
  error: { heading: 'Ada yang salah', explanation: 'Kesalahan ada pada kami. Mohon coba lagi sebentar lagi.' },
  requestId: 'Nomor permintaan ini, jika Anda melaporkannya',

  upload: {
    heading: 'Rumah bagi gambar Anda',
    summary: 'Bagikan gambar lewat tautannya. Tanpa akun, tanpa iklan, tanpa pelacakan.',
    choose: 'Pilih gambar',
    chooseFolder: 'Satu folder',
    takePhoto: 'Ambil foto',
    dropOrPaste: 'atau jatuhkan di mana saja, atau tempel satu',
    dropHere: 'Jatuhkan gambar di mana saja',
    accepted: '{formats}, masing-masing hingga {size}',
    options: 'Pilihan',
    adult: 'Konten dewasa',
    adultHint: 'Gambar tertutup tirai sampai seseorang membukanya.',
    strip: 'Hapus lokasi dan data kamera',
    stripHint: 'Di peramban Anda, sebelum apa pun dikirim. Gambarnya sendiri tidak berubah.',
    stripPlain: 'Hapus lokasi dan data kamera, dan perkecil foto besar',
    hasLocation: 'Memuat lokasi',
    losesLocation: 'Lokasi dihapus',
    smaller: 'Berkas lebih kecil',
    smallerHint: 'Foto besar diperkecil, dan metadata seperti tempat dihapus.',
    previewSize: 'Ukuran pratinjau',
    previewSizes: { small: 'Kecil', medium: 'Sedang', large: 'Besar' },
    privateLinks: 'Tautan pribadi untuk menghapusnya nanti',
    privateLinksHint: 'Ditampilkan satu kali, tepat setelah pengunggahan.',
    oneGallery: 'Satu galeri untuk semua',
    galleryName: 'Nama galeri',
    galleryHint: 'Boleh dikosongkan.',
    start: { other: 'Unggah {count} gambar' },
    startOne: 'Unggah',
    addMore: 'Tambah lagi',
    clear: 'Mulai dari awal',

    files: 'Gambar Anda',
    waiting: 'Menunggu',
    sending: 'Mengirim, {percent}',
    processing: 'Sudah sampai, sedang diproses',
    done: 'Selesai',
    remove: 'Keluarkan {name}',
    retry: 'Coba lagi {name}',
    retryButton: 'Coba lagi',
    retryAll: 'Coba lagi semua yang gagal',
    finishAnyway: 'Selesaikan saja',
    pause: 'Jeda',
    stopped: 'Dijeda',
    resume: 'Lanjutkan',
    offline: 'Tidak ada sambungan. Pengunggahan berlanjut sendiri saat sambungan kembali.',
    held: 'Menunggu sambungan',

    progress: '{done} dari {total} terunggah',
    allDone: { other: 'Semua {count} gambar terunggah.' },
    someFailed: { other: '{count} gambar tidak dapat diunggah.' },
    paused: {
      limited:
        'Yang datang dari jaringan Anda lebih banyak daripada yang diterima layanan ini sekaligus. Berlanjut sendiri pukul {time}.',
      busy: 'Layanan sedang sibuk. Berlanjut sendiri pukul {time}.',
    },

    results: 'Siap dibagikan',
    galleryReady: 'Galeri Anda',
    codesShow: 'Kode menampilkan',
    allImages: 'Semua gambar',
    openPage: 'Buka halaman',
    another: 'Unggah lagi',
    saved: '{before} menjadi {after}, {percent} lebih kecil',
    notSmaller: 'Sudah sekecil mungkin',
    resized: 'dijadikan {width} × {height} piksel',

    managementHeading: 'Tautan pribadi',
    managementWarning:
      'Simpan tautan ini sekarang: tidak akan ditampilkan lagi. Siapa pun yang memilikinya dapat menghapus apa yang ditujunya.',

    share: 'Bagikan …',
    open: 'Buka',
    copyLink: 'Salin tautan',
    qrCode: 'Kode QR',
    remembered: 'Diingat di perangkat ini',
    dontRemember: 'Jangan ingat',
    remember: 'Ingat di perangkat ini',
    managementHint:
      'Siapa pun yang memiliki tautan seperti ini dapat menghapus apa yang ditujunya. Simpan untuk Anda sendiri.',

    startingOver: {
      sent: { other: '{count} gambar sudah terunggah.' },
      question: 'Apa yang harus dilakukan dengannya?',
      delete: 'Hapus yang sudah dikirim',
      keep: 'Biarkan',
      cancel: 'Batal',
      deleted: {
        other: '{count} gambar telah dihapus.',
      },
      failed: {
        other: '{count} gambar tidak dapat dihapus. Mohon coba lagi.',
      },
    },

    shared: {
      heading: 'Dibagikan dari aplikasi lain',
      add: 'Tambahkan',
      discard: 'Buang',
      left: { other: '{count} berkas tidak disertakan.' },
      limit: 'Hingga {files} berkas dan {size} dapat dibagikan sekaligus, jika ada ruang di perangkat.',
      interrupted: 'Proses berbagi terputus. Bagikan lagi berkas yang belum ada.',
    },

    unfit: {
      heading: { other: '{count} berkas tidak dapat diunggah begitu saja' },
      tooBig: 'Lebih besar dari {size} atau {megapixels} megapiksel.',
      makeSmaller: 'Perkecil',
      convertible: 'Format ini tidak dapat diunggah, tetapi peramban Anda dapat mengubahnya.',
      convert: 'Ubah ke JPEG',
      unreadable:
        'Format ini tidak dapat diunggah, dan peramban Anda tidak dapat mengubahnya. Simpan dahulu sebagai JPEG.',
      curing: 'Sebentar …',
      failed: '{name} tidak dapat dibaca di peramban ini.',
      close: 'Tutup',
      fetching: 'Gambar sedang diambil.',
      fetchFailed:
        'Server di alamat ini tidak memberikan gambarnya kepada situs lain. Simpan gambarnya, lalu pilih di sini.',
    },

    moved: '{name} sekarang {position} dari {total}',
    orderHint: 'Seret gambar untuk mengurutkan, atau tekan Alt dan tombol panah.',

    errors: {
      network: 'Sambungan terputus. Mohon coba lagi.',
      tooLarge: 'Berkas lebih besar dari {size}.',
      unsupportedFormat: 'Ini bukan gambar yang kami kenal. Kami menerima {formats}.',
      damaged: 'Gambar rusak atau pikselnya terlalu banyak.',
      galleryClosed: 'Galeri tidak menerima gambar lagi. Mulailah yang baru.',
      missing: 'Mohon pilih gambar dahulu.',
      notStripped:
        'Lokasi dan data kameranya tidak dapat dihapus, jadi berkas tidak dikirim. Untuk mengirimnya apa adanya, mulailah dari awal tanpa pilihan itu.',
      server: 'Kesalahan ada pada kami. Mohon coba lagi sebentar lagi.',
      galleryName: 'Nama galeri tidak dapat dipakai: paling banyak 255 karakter, tanpa emoji, tanpa < atau >.',
    },

    limits: {
      heading: 'Perlu diketahui',
      pixelCount: 'Gambar boleh memiliki hingga {megapixels} juta piksel.',
      galleries: 'Galeri menerima gambar paling lama {hours} jam, lalu menjadi publik dengan sendirinya.',
      forPrograms: 'Program juga dapat mengunggah:',
    },
  },

  uploads: {
    heading: 'Unggahan Anda',
    explanation: 'Di perangkat ini. Daftarnya hanya ada di peramban ini, dan tidak pernah dikirim.',
    empty: 'Belum ada apa-apa. Yang Anda unggah di peramban ini muncul di sini.',
    needsScript: 'Daftarnya ada di peramban Anda dan dibuat di sana: ini memerlukan JavaScript.',
    filter: 'Saring menurut nama',
    delete: 'Hapus',
    deleteName: 'Hapus {name}',
    deleteQuestion: 'Hapus {name} untuk selamanya?',
    deleted: '{name} telah dihapus.',
    deleteFailed: 'Tidak dapat dihapus. Mohon coba lagi sebentar lagi.',
    deleteUnknown: 'Layanan ini tidak mengenali tautan pribadi tersebut. Entri tetap ada di daftar.',
    forgetAll: 'Lupakan semua',
    forgetQuestion:
      'Lupakan semua? Gambar tetap ada di web, dan tanpa tautan pribadinya tidak ada yang dapat menghapusnya. Ekspor daftarnya dahulu untuk menyimpannya.',
    export: 'Ekspor',
    import: 'Impor',
    imported: { other: '{count} entri ditambahkan.' },
    importFailed: 'Berkas ini tidak memuat daftar unggahan.',
  },

  embed: {
    button: 'Tambah gambar',
    explanation: 'Yang Anda unggah di sini masuk ke teks Anda di {site}.',
    insert: 'Sisipkan ke teks',
    lost: 'Halaman dengan teks Anda tidak dapat dijangkau lagi. Salin saja kodenya.',
  },

  report: {
    heading: 'Laporkan konten ilegal',
    explanation:
      'Beri tahu kami tentang gambar atau galeri yang tidak seharusnya ada di sini. Setiap laporan dibaca oleh manusia. Anda tidak memerlukan akun, dan kami tidak menyimpan apa pun tentang Anda selain yang Anda tulis di sini.',
    url: 'Alamat gambar atau galeri',
    urlHint: 'Salin dari bilah alamat peramban Anda.',
    urlWrong: 'Ini bukan alamat gambar atau galeri kami. Mohon salin seluruh alamat dari bilah alamat peramban Anda.',
    notFound: 'Tidak ada gambar atau galeri di alamat ini. Mungkin sudah dihapus; jika belum, mohon periksa alamatnya.',
    reason: 'Apa yang salah dengannya?',
    reasons: {
      illegal: 'Melanggar hukum',
      child: 'Pelecehan seksual terhadap anak',
      copyright: 'Melanggar hak cipta',
      personal: 'Melanggar privasi saya',
      violence: 'Kekerasan atau kebencian',
      other: 'Hal lain',
    },
    reasonMissing: 'Mohon pilih apa yang salah.',
    details: 'Perincian',
    detailsHint:
      'Yang perlu kami ketahui, misalnya hukum yang dilanggar atau karya yang merupakan milik Anda. Paling banyak {maxCharacters} karakter.',
    detailsWrong: 'Mohon jelaskan apa yang salah dalam paling banyak {maxCharacters} karakter.',
    contact: 'Cara menghubungi Anda (opsional)',
    contactHint: 'Misalnya alamat surel, jika Anda menginginkan jawaban.',
    contactWrong: 'Mohon gunakan paling banyak {maxCharacters} karakter.',
    submit: 'Kirim laporan',
    tooMany:
      'Anda telah mengirim banyak laporan dalam waktu singkat. Yang ini belum terkirim: mohon coba lagi dalam beberapa menit.',
    unreadable:
      'Kami tidak dapat membaca formulir ini. Mohon isi sekali lagi, dengan teks yang lebih pendek jika tadi panjang.',
    done: { heading: 'Terima kasih', explanation: 'Laporan Anda telah sampai. Kami memeriksanya secepat mungkin.' },
  },
}
