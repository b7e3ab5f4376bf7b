import { expect, test } from 'vitest'
import {
  imagePath,
  originalUrl,
  parseShowPath,
  publicSite,
  showUrl,
  singleHostSite,
  thumbnailUrl,
} from '../../../src/domain/ids/links.ts'

const IMAGE = { id: 114836770039148, name: 'a_b-c.jpg' }
const PATH = '7787/114836770039148_a_b-c.jpg'

test('the three links of an image share one path (D7)', () => {
  const site = publicSite('d.example')
  expect(imagePath(IMAGE)).toBe(PATH)
  expect(showUrl(site, IMAGE)).toBe(`https://d.example/show/${PATH}`)
  expect(thumbnailUrl(site, IMAGE)).toBe(`https://t1.d.example/thumbs/${PATH}`)
  expect(originalUrl(site, IMAGE)).toBe(`https://img1.d.example/images/${PATH}`)
})

test('on this machine everything has one origin (D6)', () => {
  expect(thumbnailUrl(singleHostSite('http://localhost:8787'), IMAGE)).toBe(`http://localhost:8787/thumbs/${PATH}`)
})

test('a show path is read back', () => {
  expect(parseShowPath(`/show/${PATH}`)).toEqual({ id: IMAGE.id, path: PATH })
})

test.each([
  '/show/07787/1_a.jpg',
  '/show/1/01_a.jpg',
  '/show/1/1_A.jpg',
  '/show/1/1_a.jpeg',
  '/show/1/1_a',
  '/show/1/1_.jpg',
  '/show/1/1-a.jpg',
  '/show/1/1_a.jpg/',
  '/show/1/1_a.jpg\n',
  '/show//1_a.jpg',
  '/show/./1/1_a.jpg',
  '/Show/1/1_a.jpg',
  '/images/1/1_a.jpg',
])('%o is no show path (D25)', (path) => {
  expect(parseShowPath(path)).toBeUndefined()
})
