import { describe, expect, inject } from 'vitest'
import { test } from './support/visit.ts'

const NOT_THERE = [/status of 404/]

describe.skipIf(!inject('chromium'))('pages of missing content', () => {
  test.for([
    { path: '/show/1/2_a.png', heading: 'Picture not found', words: "Picture doesn't exist" },
    { path: '/gallery/abcdefghij', heading: 'Gallery not found', words: "Gallery doesn't exist" },
    { path: '/nowhere', heading: 'Page not found', words: 'Check the link' },
    { path: `/manage/${'a'.repeat(43)}`, heading: 'Page not found', words: 'Check the link' },
  ])('$path explains it and links to the front page', async ({ path, heading, words }, { visit }) => {
    const page = await visit(path, { complaints: NOT_THERE })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading)
    expect(await page.locator('main').innerText()).toContain(words)
    await page.getByRole('link', { name: 'Go to the home page', exact: true }).click()
    await page.waitForURL(({ pathname }) => pathname === '/')
  })
})
