import { tabAfter } from './tab-keys.ts'

/**
 * Makes a tab list of its tabs: a click selects, and so do the arrow keys, Home and End, which move the focus; Tab goes
 * on to the panel. `onSelect` gets the tab that is selected.
 */
export function enableTabs(list: HTMLElement, onSelect: (tab: HTMLElement) => void): void {
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
}
