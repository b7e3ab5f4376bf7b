import { tabAfter } from './tab-keys.ts'

/**
 * Sets up a tab list: a click selects a tab, and so do the arrow keys, Home and End, which also move the focus; Tab moves to
 * the panel. `onSelect` is called with the selected tab. Returns a function that selects one.
 */
export function enableTabs(list: HTMLElement, onSelect: (tab: HTMLElement) => void): (tab: HTMLElement) => void {
  const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
  const select = (selected: HTMLElement) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === selected))
      tab.tabIndex = tab === selected ? 0 : -1
    }
    onSelect(selected)
  }
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab))
    tab.addEventListener('keydown', (event) => {
      const target = tabs[tabAfter(event.key, index, { count: tabs.length, rightToLeft: document.dir === 'rtl' })]
      if (!target || target === tab) return
      event.preventDefault()
      select(target)
      target.focus()
    })
  }
  return select
}
