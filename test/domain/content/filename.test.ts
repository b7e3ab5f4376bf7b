import { expect, test } from 'vitest'
import { displayName, downloadName, fileNameForPeople, imageName } from '../../../src/domain/content/filename.ts'

test.each([
  ['file-upload[0]', 'file-upload-0.png'],
  ['photos/2026/IMG_7411.JPG', 'img_7411.png'],
  ['C:\\Users\\me\\cat.jpeg', 'cat.png'],
  ['archive.tar.gz', 'archive-tar.png'],
  ['Grüße aus Köln!.png', 'gru-e-aus-koln.png'],
  ['Ångström № 5.gif', 'angstrom-no-5.png'],
  ['ﬁne①.png', 'fine1.png'],
  ['写真.jpg', 'image.png'],
  ['', 'image.png'],
  ['.htaccess', 'image.png'],
  ['-_a--b_-.png', '_a--b_.png'],
  ['a  &  b.png', 'a-b.png'],
  [`${'x'.repeat(99)}-yz.png`, `${'x'.repeat(99)}.png`],
  [`${'x'.repeat(101)}.png`, `${'x'.repeat(100)}.png`],
  ['dir/', 'image.png'],
  ['Beach%20Day%20%C3%A9.JPG', 'beach-day-e.png'],
  ['photos%2F2026%2fIMG_7411.JPG', 'img_7411.png'],
  ['100%25.png', '100.png'],
  ['100%.png', '100.png'],
  ['Beach Day%20%C3%A9.JPG', 'beach-day-20-c3-a9.png'],
  ['%C3%28-a%20b.png', 'c3-28-a-20b.png'],
  ['é%20b.png', 'e-20b.png'],
  ['%', 'image.png'],
  ['"quoted"\u0000name\n.png', 'quoted-name.png'],
])('%o is stored as %s (D8)', (sent, stored) => {
  expect(imageName(sent, 'png')).toBe(stored)
})

test.each([
  ['jpeg', 'a.jpg'],
  ['gif', 'a.gif'],
  ['webp', 'a.webp'],
  ['avif', 'a.avif'],
] as const)('a stored %s is %s', (format, stored) => {
  expect(imageName('a.bmp', format)).toBe(stored)
})

test.each([
  ['photos/2026/IMG_7411.JPG', 'IMG_7411.JPG'],
  ['C:\\Users\\me\\Été à Köln.jpeg', 'Été à Köln.jpeg'],
  ['写真 №5.heic', '写真 №5.jpg'],
  ['می‌خواهم.jpg', 'می‌خواهم.jpg'],
  ['A.tar.gz', 'A.tar.jpg'],
  ['no dot', 'no dot.jpg'],
  ['Beach%20Day%20%C3%A9.JPG', 'Beach Day é.JPG'],
  [' <b>"x"\u0000\u202e\n  y&.JPE ', '<b>"x" y&.jpg'],
  [`${'Ä'.repeat(200)}.jpg`, `${'Ä'.repeat(100)}.jpg`],
  [`${'🙂'.repeat(101)}.jpg`, `${'🙂'.repeat(100)}.jpg`],
  ['cat.jpg', null],
  ['', null],
  ['.htaccess', null],
  ['\u202e .JPG', null],
])('%o is shown as %s (D8)', (sent, shown) => {
  expect(displayName(sent, imageName(sent, 'jpeg'))).toBe(shown)
})

test('half of a character is replaced in the name that is shown', () => {
  expect(displayName('a\ud800.jpg', 'a.jpg')).toBe('a\ufffd.jpg')
})

test.each([
  ['Été: 1 2?.JPG', 'Été 1 2.JPG'],
  ['Con.jpg', '_Con.jpg'],
  ['???.jpg', 'image.jpg'],
  [null, 'image.jpg'],
])('the file of %s is %s on a disk', (displayed, expected) => {
  expect(fileNameForPeople({ name: 'image.jpg', displayName: displayed })).toBe(expected)
})

test.each([
  ['con.png', '_con.png'],
  ['lpt9.jpg', '_lpt9.jpg'],
  ['nul.webp', '_nul.webp'],
  ['icon.png', 'icon.png'],
  ['com.png', 'com.png'],
  ['com10.png', 'com10.png'],
])('%s is downloaded as %s, a valid name on Windows', (name, downloaded) => {
  expect(downloadName(name)).toBe(downloaded)
})
