import { describe, expect, inject } from 'vitest'
import { api, filesWithRefusals, galleryOf, jpegOf, uploadPhoto } from './support/content.ts'
import { textsOf } from './support/moments.ts'
import { test } from './support/visit.ts'

const REFUSED = [/status of 422/]

describe.skipIf(!inject('chromium'))('the management page of a gallery', () => {
  test.for([true, false])('renames it (scripts: %s)', async (script, { visit }) => {
    const { gallery } = await galleryOf([[300, 200]], { name: 'Old name' })
    const page = await visit(gallery.manageUrl ?? '', { script })
    const field = page.getByLabel('Name', { exact: true })
    expect(await field.inputValue()).toBe('Old name')
    await field.fill('  New   name ')
    await page.getByRole('button', { name: 'Rename' }).click()
    const notice = await page.getByRole('status').innerText()
    expect(notice.split(/\s{2,}|\n/)).toEqual(['Gallery renamed.', 'Old name', 'New name'])
    expect(await field.inputValue()).toBe('New name')
    await page.goto(gallery.url)
    expect(await page.title()).toContain('New name')
  })

  test.for([true, false])(
    'deletes one of its images, after a second click (scripts: %s)',
    async (script, { visit }) => {
      const { gallery, images } = await galleryOf([
        [300, 200],
        [200, 300],
      ])
      const page = await visit(gallery.manageUrl ?? '', { script, window: { width: 390, height: 800 } })
      const items = page.locator('.managed-images li')
      await items.first().getByRole('link', { name: 'picture 1.png' }).waitFor()
      const confirm = items.first().getByRole('button', { name: 'Yes, delete permanently' })
      expect(await confirm.isVisible()).toBe(false)
      await items.first().locator('summary', { hasText: 'Delete' }).click()
      await confirm.click()
      // It stays where it was, at the list.
      await page.getByText('picture 1.png deleted.').waitFor()
      expect(await page.getByText('picture 1.png deleted.').isVisible()).toBe(true)
      expect(await items.count()).toBe(1)
      expect(await page.locator('.facts').innerText()).toContain('1 picture')
      expect(page.url()).toBe(`${gallery.manageUrl}#pictures`)
      expect((await api.follow(images[0]?.showUrl ?? '', here(gallery.url))).status).toBe(404)
      expect((await api.follow(images[1]?.showUrl ?? '', here(gallery.url))).status).toBe(200)
    },
  )

  test.for([true, false])(
    'adds, moves and captions images, and makes one the cover (scripts: %s)',
    async (script, { visit }) => {
      const { gallery, images } = await galleryOf([
        [300, 200],
        [200, 300],
      ])
      const page = await visit(gallery.manageUrl ?? '', { script, window: { width: 390, height: 800 } })
      const items = page.locator('.managed-images li')
      const names = () =>
        items.evaluateAll((all) => all.map((item) => item.getAttribute('data-image')?.replace(/^.*?_/, '')))
      const before = await names()
      const added = { name: 'added.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(300, 300) }
      await page.setInputFiles('#img', added)
      await page.getByRole('button', { name: 'Add pictures' }).click()
      await items.nth(2).waitFor()
      expect(await names()).toEqual([...before, 'added.jpg'])
      await items.last().getByRole('button', { name: 'Move earlier' }).click()
      await page.getByText('Saved.').first().waitFor()
      const moved = [before[0], 'added.jpg', before[1]]
      expect(await names()).toEqual(moved)
      await page.goto(gallery.manageUrl ?? '')
      expect(await names()).toEqual(moved)
      await items.nth(1).getByText('Edit caption').click()
      await items.nth(1).getByLabel('Caption').fill('A field in May')
      await items.nth(1).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').first().waitFor()
      await items.nth(1).getByText('Edit caption').click()
      await items.nth(1).getByRole('button', { name: 'Use as cover' }).click()
      await items.nth(1).getByText('Cover', { exact: true }).waitFor()
      await page.goto(gallery.url)
      const content = await page.content()
      expect(content).toContain('--badge:"A field in May"')
      expect(/property="og:image" content="([^"]+)"/.exec(content)?.[1]).toContain('added')
      expect(content).toContain(images[0]?.showUrl)
    },
  )

  test('explains an invalid name, and keeps it for correction', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]], { name: 'Old name' })
    const page = await visit('/', { complaints: REFUSED })
    for (const name of ['a < b', 'smile 😀', 'x'.repeat(256)]) {
      await page.goto(gallery.manageUrl ?? '')
      const field = page.getByLabel('Name', { exact: true })
      await field.fill(name)
      await page.getByRole('button', { name: 'Rename' }).click()
      const words = await page.getByRole('alert').innerText()
      expect(words, name).toMatch(/^Use a name of up to 255 characters/)
      expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([name, 'true'])
    }
    await page.goto(gallery.url)
    expect(await page.title()).toContain('Old name')
  })

  test('deletes it with all its images, by keyboard alone', async ({ visit }) => {
    const { gallery, images } = await galleryOf([[300, 200]])
    const page = await visit(gallery.manageUrl ?? '', { complaints: [/status of (404|410)/] })
    await page.getByRole('checkbox', { name: 'Yes, delete permanently' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('h1')?.textContent === 'Gallery deleted')
    expect((await page.goto(gallery.manageUrl ?? ''))?.status()).toBe(410)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Already deleted')
    expect((await page.goto(gallery.url))?.status()).toBe(404)
    expect((await page.goto(images[0]?.showUrl ?? ''))?.status()).toBe(404)
  })
})

describe.skipIf(!inject('chromium'))('the management page of a service that asks for a key', () => {
  test('says that it needs one, keeps the images that are left, and asks again', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]])
    const page = await visit(gallery.manageUrl ?? '', { complaints: [/status of 401/] })
    let uploads = 0
    await page.route('**/management/*/images', (route) =>
      ++uploads === 2 ? route.fulfill({ status: 401, body: '' }) : route.continue(),
    )
    const buffer = await jpegOf(300, 200)
    const files = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer }))
    await page.getByLabel('Choose pictures').setInputFiles(files)
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText('Uploading needs a key. Try again, and enter yours as the password.').waitFor()
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.waitForURL(/page=/)
    expect(uploads).toBe(4)
    expect(page.url()).not.toContain('failed')
    const names = await page.locator('.managed-images li a').allInnerTexts()
    expect(names.map((name) => /\w\.\w+$/.exec(name.trim())?.[0])).toEqual(['1.png', 'a.jpg', 'b.jpg', 'c.jpg'])
  })
})

describe.skipIf(!inject('chromium'))('the management page of a service that is busy', () => {
  test('says until when it waits, and can be stopped: the rest stays chosen', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]])
    const page = await visit(gallery.manageUrl ?? '', { phone: true, complaints: [/status of (?:429|503)/] })
    const later = { status: 503, headers: { 'Retry-After': '1' }, body: 'later' }
    const muchLater = { status: 429, headers: { 'Retry-After': '3600' }, body: 'later' }
    const refusals = [later, undefined, muchLater]
    await page.route('**/management/*/images', (route) => {
      const refusal = refusals.shift()
      return refusal ? route.fulfill(refusal) : route.continue()
    })
    const said = await textsOf(page, '#add-form')
    const buffer = await jpegOf(300, 200)
    const files = ['a.jpg', 'b.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer }))
    await page.getByLabel('Choose pictures').setInputFiles(files)
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText(/^Your network has reached the upload limit\. Uploading resumes at \d+:\d\d/).waitFor()
    const texts = (await said()).join('\n')
    expect(texts).toMatch(/Adding 1 of 2….*The service is busy\. Uploading resumes at.*Adding 1 of 2….*Adding 2 of 2…/s)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    expect(
      await page
        .locator('#img')
        .evaluate((input: HTMLInputElement) => [...(input.files ?? [])].map(({ name }) => name)),
    ).toEqual(['b.jpg'])
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.waitForURL(/page=/)
    const names = await page.locator('.managed-images li a').allInnerTexts()
    expect(names.map((name) => /\w\.\w+$/.exec(name.trim())?.[0])).toEqual(['1.png', 'a.jpg', 'b.jpg'])
  })
})

describe.skipIf(!inject('chromium'))('adding images on the management page', () => {
  const REASONS = [
    ['cut <b>.jpg', 'The picture is damaged.'],
    ['notes.jpg', 'This file type isn’t supported. Accepted formats: JPEG, PNG, GIF, WebP, and AVIF.'],
  ]

  test('says why each image was refused, also after a reload, and adds the others', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]])
    const page = await visit(gallery.manageUrl ?? '', { phone: true, complaints: [/status of 4(?:14|22)/] })
    await page.getByLabel('Choose pictures').setInputFiles(await filesWithRefusals())
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.waitForURL(/failed=2/)
    for (const again of [false, true]) {
      if (again) await page.reload()
      expect(await page.getByRole('alert').innerText()).toBe('2 pictures could not be uploaded.')
      expect((await page.locator('#refused li').allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual(REASONS)
      expect(await page.locator('.managed-images li').count()).toBe(3)
    }
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(gallery.managementToken)
  })

  test.for(REASONS)(
    'says without a script why the image was refused: %s',
    async ([name = '', reason = ''], { visit }) => {
      const { gallery } = await galleryOf([[300, 200]])
      const complaints = [/status of 4(?:14|22)/]
      const page = await visit(gallery.manageUrl ?? '', { phone: true, script: false, complaints })
      const buffer = name === 'notes.jpg' ? Buffer.from('notes') : (await jpegOf(600, 400)).subarray(0, 60)
      await page.getByLabel('Choose pictures').setInputFiles([{ name, mimeType: 'image/jpeg', buffer }])
      await page.getByRole('button', { name: 'Add pictures' }).click()
      expect(await page.getByRole('alert').innerText()).toBe('1 picture could not be uploaded.')
      expect((await page.locator('#refused li').innerText()).split(/\s*\n\s*/)).toEqual([name, reason])
      expect(await page.locator('.managed-images li').count()).toBe(1)
    },
  )

  test('stops where the connection breaks: the rest stays chosen', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]])
    const page = await visit(gallery.manageUrl ?? '', { phone: true, complaints: [/ERR_FAILED/] })
    await page.clock.install()
    let sent = 0
    await page.route('**/management/*/images', (route) => (sent++ === 0 ? route.continue() : route.abort()))
    const buffer = await jpegOf(300, 200)
    const files = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer }))
    await page.getByLabel('Choose pictures').setInputFiles(files)
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.locator('#add-form [role=status]').innerText()
      })
      .toBe('Connection lost. Please try again.')
    expect(sent).toBe(5)
    await page.unroute('**/management/*/images')
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.waitForURL(/page=/)
    const names = await page.locator('.managed-images li a').allInnerTexts()
    expect(names.map((name) => /\w\.\w+$/.exec(name.trim())?.[0])).toEqual(['1.png', 'a.jpg', 'b.jpg', 'c.jpg'])
  })
})

describe.skipIf(!inject('chromium'))('moves on the management page', () => {
  test('wait for a busy service until the time that is shown, and are undone when the pause is stopped', async ({
    visit,
  }) => {
    const { gallery } = await galleryOf([
      [300, 200],
      [200, 300],
      [300, 300],
    ])
    const page = await visit(gallery.manageUrl ?? '', { phone: true, complaints: [/status of (?:429|503)/] })
    const later = { status: 503, headers: { 'Retry-After': '1' }, body: 'later' }
    const muchLater = { status: 429, headers: { 'Retry-After': '3600' }, body: 'later' }
    const refusals = [later, undefined, muchLater]
    let sent = 0
    await page.route('**/management/*/order', (route) => {
      sent++
      const refusal = refusals.shift()
      return refusal ? route.fulfill(refusal) : route.continue()
    })
    const items = page.locator('.managed-images li')
    const names = () =>
      items.evaluateAll((all) => all.map((item) => item.getAttribute('data-image')?.replace(/^.*?_/, '')))
    const [first, second, third] = await names()
    const said = await textsOf(page, '.moving')
    await items.first().getByRole('button', { name: 'Move later' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await said()).join('\n')).toMatch(/The service is busy\. Saving resumes at \d+:\d\d/)
    expect(await names()).toEqual([second, first, third])
    await items.first().getByRole('button', { name: 'Move later' }).click()
    await page.getByText(/^Your network has made too many changes\. Saving resumes at \d+:\d\d/).waitFor()
    // It waits for its turn, and is not sent.
    await items.first().getByRole('button', { name: 'Move later' }).click()
    expect(await page.getByText(/Saving resumes at/).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(names).toEqual([second, first, third])
    expect(await page.getByText(/Saving resumes at/).count()).toBe(0)
    await page.reload()
    expect(await names()).toEqual([second, first, third])
    expect(sent).toBe(3)
  })

  test.for([
    {
      name: 'an error',
      response: { status: 500, body: 'error' },
      said: 'The new order wasn’t saved. This is a problem on our side. Please try again in a moment.',
    },
    {
      name: 'no connection',
      response: undefined,
      said: 'The new order wasn’t saved. Connection lost. Please try again.',
    },
    {
      name: 'a deleted picture',
      response: { status: 422, body: '{}' },
      said: 'The new order wasn’t saved. Some pictures were deleted in the meantime. Reload this page to see the current order.',
    },
  ])('are undone when they fail, and the page says why: $name', async ({ response, said }, { visit }) => {
    const { gallery } = await galleryOf([
      [300, 200],
      [200, 300],
      [300, 300],
    ])
    const page = await visit(gallery.manageUrl ?? '', { phone: true, complaints: [/status of (?:422|500)|ERR_FAILED/] })
    await page.clock.install()
    let fails = true
    await page.route('**/management/*/order', (route) => {
      if (!fails) return route.continue()
      return response ? route.fulfill(response) : route.abort()
    })
    const items = page.locator('.managed-images li')
    const names = () =>
      items.evaluateAll((all) => all.map((item) => item.getAttribute('data-image')?.replace(/^.*?_/, '')))
    const [first, second, third] = await names()
    const button = page.locator(`.managed-images li[data-image$="_${first}"] button[value=later]`)
    await button.click()
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return page.locator('#moving-status').innerText()
      })
      .toBe(said)
    expect(await names()).toEqual([first, second, third])
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    fails = false
    await button.click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    expect(await names()).toEqual([second, first, third])
  })
})

describe.skipIf(!inject('chromium'))('the management page of an image', () => {
  test('deletes it after the confirmation, and not before', async ({ visit }) => {
    const image = await uploadPhoto()
    const page = await visit(image.manageUrl ?? '', { complaints: [...REFUSED, /status of 404/] })
    const button = page.getByRole('button', { name: 'Delete picture' })
    // The browser requires the tick. A form without it is rejected by the service too.
    await button.click()
    await page.locator('[type=checkbox]:focus').waitFor()
    await page.getByRole('checkbox').evaluate((box) => box.removeAttribute('required'))
    await button.click()
    expect(await page.getByRole('alert').innerText()).toContain('Nothing has been deleted')
    expect((await api.follow(image.showUrl, here(image.showUrl))).status).toBe(200)
    await page.getByLabel('Yes, delete permanently').check()
    await button.click()
    await page.getByRole('heading', { name: 'Picture deleted' }).waitFor()
    await page.goto(image.showUrl)
    expect(await page.getByText("Picture doesn't exist").count()).toBe(1)
  })

  test('changes nothing when it is opened, in any way', async ({ visit }) => {
    const image = await uploadPhoto()
    const address = image.manageUrl ?? ''
    const page = await visit(address)
    for (const query of ['?action=delete&confirm=yes', '?lang=fr', '']) await page.goto(address + query)
    await page.reload()
    const head = await api.follow(address, { method: 'HEAD', ...here(address) })
    expect(head.status).toBe(200)
    expect((await api.follow(image.showUrl, here(image.showUrl))).status).toBe(200)
  })

  test('sends its address to no other page', async ({ visit }) => {
    const image = await uploadPhoto()
    const address = image.manageUrl ?? ''
    const page = await visit(address)
    const referers: (string | undefined)[] = []
    page.on('request', (request) => referers.push(request.headers().referer))
    await page.reload()
    const thumbnails = await page.locator('main img').count()
    await page.getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(image.showUrl)
    expect(thumbnails).toBe(1)
    expect(referers.length).toBeGreaterThan(4)
    expect(referers.filter((referer) => referer?.includes('/manage/'))).toEqual([])
    expect(await page.evaluate(() => document.referrer)).toBe(`${new URL(address).origin}/`)
  })
})

function here(url: string): { host: string } {
  return { host: new URL(url).host }
}
