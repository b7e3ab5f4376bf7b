import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName, safeFolderName, uniqueNames } from '../../cli/src/files/file-names.ts'
import { parametersOf } from '../support/property.ts'

test.for([
  ['фото 1.png', 'image/png', 'фото 1.png'],
  ['写真.JPG', 'image/jpeg', '写真.JPG'],
  ['a.jpeg', 'image/jpeg', 'a.jpeg'],
  ['👩‍👩‍👧 family.webp', 'image/webp', '👩‍👩‍👧 family.webp'],
  ['e\u0301.gif', 'image/gif', 'é.gif'],
  ['../../etc/passwd', 'image/png', '_.._etc_passwd.png'],
  ['..\\..\\boot.ini', 'image/png', '_.._boot.ini.png'],
  ['/etc/cron.d/x.png', 'image/png', '_etc_cron.d_x.png'],
  ['C:\\a.png', 'image/png', 'C__a.png'],
  ['..', 'image/png', 'image.png'],
  ['', 'image/avif', 'image.avif'],
  ['.png', 'image/png', 'png.png'],
  ['.bashrc', 'image/png', 'bashrc.png'],
  ['run.exe', 'image/jpeg', 'run.exe.jpg'],
  ['a.png', 'image/jpeg', 'a.png.jpg'],
  ['a.desktop', undefined, 'a.desktop.jpg'],
  ['a.webp', undefined, 'a.webp'],
  ['a.png', 'text/html', 'a.png'],
  ['CON.png', 'image/png', '_CON.png'],
  ['nul', 'image/png', '_nul.png'],
  ['com1.tar.png', 'image/png', '_com1.tar.png'],
  ['console.png', 'image/png', 'console.png'],
  ['-rf.png', 'image/png', '_rf.png'],
  ['a\u0000\u001b[31m\n.png', 'image/png', 'a__[31m_.png'],
  ['gnp.\u202ejpg.png', 'image/png', 'gnp._jpg.png'],
  ['a <b> "c" | d? *.png', 'image/png', 'a _b_ _c_ _ d_ _.png'],
  ['a. . .', 'image/png', 'a.png'],
  ['\ud800a.png', 'image/png', '\ufffda.png'],
] as const)('%j of %s is %j', ([name, mediaType, expected]) => {
  expect(safeFileName(name, mediaType)).toBe(expected)
})

test('long names are cut between characters, and keep their extension', () => {
  const name = safeFileName(`${'👩‍👩‍👧'.repeat(100)}.png`, 'image/png')
  expect(name).toMatch(/^(?:👩‍👩‍👧)+\.png$/u)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(220)
})

test('a folder of a gallery', () => {
  expect(safeFolderName('Lago / di Garda', 'abc')).toBe('Lago _ di Garda')
  expect(safeFolderName('', 'abc')).toBe('abc')
  expect(safeFolderName('..', '../x')).toBe('_x')
})

test('names that a file system takes for one get a number', () => {
  const unique = uniqueNames()
  const names = ['a.png', 'A.png', 'a.png', 'a (2).png', 'é.png', 'e\u0301.png']
  expect(names.map((name) => unique(name))).toEqual([
    'a.png',
    'A (2).png',
    'a (3).png',
    'a (2) (2).png',
    'é.png',
    'e\u0301 (2).png',
  ])
})

test('any name is one part of a path, without what a terminal or a file system interprets', () => {
  const { TINTYPE_SEED } = process.env
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      for (const safe of [safeFileName(name, 'image/png'), safeFolderName(name, name)]) {
        expect(safe).toMatch(/^[^.\-\s/\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*$/u)
        expect(safe).not.toMatch(/[. ]$/)
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(221)
        expect(safe.isWellFormed()).toBe(true)
      }
    }),
    parametersOf(TINTYPE_SEED, 27, 2000),
  )
})
