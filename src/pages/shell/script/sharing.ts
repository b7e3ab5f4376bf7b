/** Shows the buttons that hand an address to the apps of the device, where it has such a list. */
export function enableSharing(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-share]')) {
    const { share: url = '', shareTitle: title = '' } = button.dataset
    enableSharingBy(button, { title, url })
  }
}

/**
 * Shows a button that hands an address and its title to the apps of the device, where it has a list of apps and that takes them.
 * Should the list fail to open, the address is copied by the copy button beside it, which says so.
 */
export function enableSharingBy(button: HTMLButtonElement, shared: { title: string; url: string }): void {
  // The older of the browsers that share cannot be asked for what.
  if (!('share' in navigator) || ('canShare' in navigator && !navigator.canShare(shared))) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.share(shared).catch((error: unknown) => {
      // Closing the list of apps shares nothing. It is no failure, nor is a list that is already open.
      if (error instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(error.name)) return
      button.parentElement?.querySelector<HTMLButtonElement>('button.copy')?.click()
    })
  })
}
