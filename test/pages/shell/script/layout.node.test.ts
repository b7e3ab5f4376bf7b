import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { galleryPage } from '../../../../src/pages/gallery/gallery-page.tsx'
import { showPage } from '../../../../src/pages/image/show-page.tsx'
import { readStaticText } from '../../../support/static-assets.ts'
import { CONTEXT, GALLERY, galleryImage, SHOW } from '../../samples.ts'

type Listener = (event: object) => void

class FakeElement {
  style = {
    viewTransitionName: '',
    removeProperty: () => {
      this.style.viewTransitionName = ''
    },
  }
}

/**
 * Runs the script of every page while the head is parsed, before there is a body. Returns the changed state, and its
 * listeners.
 */
function runInHead(
  storage: Record<string, string>,
  address = 'https://one.example/docs',
  hasNavigation = true,
  navigator: object = {},
) {
  const thumbnails = ['1', '2'].map((id) => ({
    href: `https://one.example/show/7/${id}`,
    firstElementChild: new FakeElement(),
  }))
  const listeners: Record<string, Listener> = {}
  const dataset: Record<string, string> = {}
  const addresses: string[] = []
  const classes: string[] = []
  runInNewContext(readStaticText(ASSETS.layout.path), {
    URL,
    HTMLElement: FakeElement,
    navigator,
    location: { href: address },
    history: { state: null, replaceState: (_state: unknown, _title: string, to: URL) => addresses.push(to.href) },
    localStorage: {
      getItem: (key: string) => storage[key] ?? null,
      setItem: (key: string, value: string) => Object.assign(storage, { [key]: value }),
      removeItem: (key: string) => Reflect.deleteProperty(storage, key),
    },
    document: {
      documentElement: { dataset, classList: { add: (name: string) => classes.push(name) } },
      querySelectorAll: (selector: string) => (selector === '.images > a' ? thumbnails : []),
      addEventListener() {},
    },
    window: {
      addEventListener: (type: string, listener: Listener) => Object.assign(listeners, { [type]: listener }),
      ...(hasNavigation ? { navigation: { activation: { from: { url: thumbnails[1]?.href } } } } : {}),
    },
  })
  return {
    dataset,
    classes,
    storage,
    addresses,
    listeners,
    images: thumbnails.map(({ firstElementChild }) => firstElementChild),
  }
}

test('a chosen theme applies before there is a body to paint', () => {
  expect(runInHead({ theme: 'dark' }).dataset).toEqual({ theme: 'dark' })
  expect(runInHead({ theme: 'red' }).dataset).toEqual({})
  expect(runInHead({}).dataset).toEqual({})
})

test('the style sheets know that scripts run before there is a body to paint', () => {
  expect(runInHead({}).classes).toEqual(['scripted'])
  expect(runInHead({}, undefined, true, { share() {} }).classes).toEqual(['scripted', 'sharing'])
})

test('a theme in the address is stored, and removed from the address', () => {
  const chosen = runInHead({}, 'https://one.example/docs?lang=de&theme=light')
  expect([chosen.dataset, chosen.storage]).toEqual([{ theme: 'light' }, { theme: 'light' }])
  expect(chosen.addresses).toEqual(['https://one.example/docs?lang=de'])
  expect(runInHead({ theme: 'dark' }, 'https://one.example/docs?theme=auto').storage).toEqual({})
})

test('pages wait for that script alone, and request it before the style sheet', () => {
  const [, head = ''] = /<head>(.*)<\/head>/s.exec(galleryPage(GALLERY)) ?? []
  const blocking = head.indexOf(`<script src="${ASSETS.layout.path}"></script>`)
  expect(blocking).toBeGreaterThan(0)
  expect(blocking).toBeLessThan(head.indexOf('<link rel="stylesheet"'))
})

test('the clicked thumbnail grows into its image, and the thumbnail of the previous image takes it back', async () => {
  const still = { ready: Promise.resolve(), finished: Promise.resolve() }
  const there = runInHead({})
  there.listeners.pageswap?.({ viewTransition: still, activation: { entry: { url: 'https://one.example/show/7/1' } } })
  expect(there.images.map(({ style }) => style.viewTransitionName)).toEqual(['picture', ''])
  const back = runInHead({})
  back.listeners.pagereveal?.({ viewTransition: still })
  expect(back.images.map(({ style }) => style.viewTransitionName)).toEqual(['', 'picture'])
  // After it, the name is free for the next clicked thumbnail.
  await still.finished
  await still.ready
  expect(back.images.map(({ style }) => style.viewTransitionName)).toEqual(['', ''])
})

test('a page that was kept for going back names one thumbnail only', () => {
  const still = { ready: Promise.resolve(), finished: Promise.resolve() }
  const { listeners, images } = runInHead({})
  listeners.pageswap?.({ viewTransition: still, activation: { entry: { url: 'https://one.example/show/7/1' } } })
  listeners.pagereveal?.({ viewTransition: still })
  expect(images.map(({ style }) => style.viewTransitionName)).toEqual(['', 'picture'])
})

test('without window.navigation, as in WebKit before 26.2, no thumbnail takes part', () => {
  const still = { ready: Promise.resolve(), finished: Promise.resolve() }
  const { listeners, images } = runInHead({}, undefined, false)
  listeners.pageswap?.({ viewTransition: still })
  listeners.pagereveal?.({ viewTransition: still })
  expect(images.map(({ style }) => style.viewTransitionName)).toEqual(['', ''])
})

test('both pages take part in the transition, unless the reader prefers less motion', () => {
  for (const page of [
    galleryPage({ ...GALLERY, images: [galleryImage(1)] }),
    showPage({ ...SHOW, context: CONTEXT }),
  ]) {
    expect(page).toContain('@media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}')
    expect(page.match(/@view-transition/g)).toHaveLength(1)
  }
})
