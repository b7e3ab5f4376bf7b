import { createFileCard, type FileCard } from './file-card.ts'
import type { Item } from './item.ts'

/** The acts of the user on a card. */
interface Actions {
  remove: (id: number) => void
  retry: (id: number) => void
}

/** The list of files on the page. */
interface CardList {
  /** Shows these items in their order. */
  show: (items: readonly Item[]) => void
  focus: (id: number) => void
  /** Returns the id of the item whose card this is. */
  idOf: (element: Element) => number | undefined
}

interface Shown {
  item: Item
  card: FileCard
}

/** Keeps a card for each item, with its preview, and changes only those whose items have changed. */
export function createCardList(list: HTMLElement, { remove, retry }: Actions): CardList {
  let cards = new Map<number, Shown>()

  function cardOf(item: Item): Shown {
    const shown = cards.get(item.id)
    if (!shown) {
      const actions = { remove: () => remove(item.id), retry: () => retry(item.id) }
      return { item, card: createFileCard(item, actions) }
    }
    if (shown.item !== item) shown.card.update(item)
    return { item, card: shown.card }
  }

  return {
    show(items) {
      const next = new Map(items.map((item) => [item.id, cardOf(item)]))
      for (const [id, { card }] of cards) if (!next.has(id)) card.discard()
      cards = next
      let following = list.firstElementChild
      for (const { card } of next.values()) {
        if (card.element === following) following = following.nextElementSibling
        else list.insertBefore(card.element, following)
      }
    },
    focus(id) {
      cards.get(id)?.card.focus()
    },
    idOf(element) {
      return [...cards].find(([, { card }]) => card.element === element)?.[0]
    },
  }
}
