import { describe, expect, inject } from 'vitest'
import { sharedImage } from './support/content.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('the report page', () => {
  test.for([true, false])('sends a report of the image that linked to it (scripts: %s)', async (script, { visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(showUrl, { script })
    await page.getByRole('link', { name: 'Report illegal content' }).click()
    await page.getByLabel('Copyright infringement').check()
    await page.getByLabel('Details').fill('It is mine.\nI took it.')
    await page.getByLabel('How to reach you').fill('me@example.com')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('heading', { name: 'Report sent' }).waitFor()
  })

  test('returns the form with the entered values and what to correct', async ({ visit }) => {
    const page = await visit('/report', { complaints: [/status of (422|404)/] })
    await page.getByLabel('Link to the picture').fill('https://elsewhere.example/picture')
    await page.getByLabel('Something else').check()
    await page.getByLabel('Details').fill('\n"quoted" & <b>bold</b>')
    await page.getByRole('button', { name: 'Send report' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(/^This isn’t a link to a picture or gallery on this site/)
    expect(await page.getByLabel('Link to the picture').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Details').inputValue()).toBe('\n"quoted" & <b>bold</b>')
    expect(await page.getByLabel('Something else').isChecked()).toBe(true)
    const { showUrl } = await sharedImage()
    await page.getByLabel('Link to the picture').fill(showUrl.replace(/\/show\/.*/, '/show/1/1_gone.png'))
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('There is no picture or gallery at this link').waitFor()
  })

  test('requires missing fields before it is sent', async ({ visit }) => {
    const page = await visit('/report')
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.locator('[name=url]:focus').waitFor()
    expect(new URL(page.url()).pathname).toBe('/report')
  })
})
