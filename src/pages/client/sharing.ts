/** Shows the buttons that hand an address to the apps of the device, where it has such a list. */
export function enableSharing(): void {
  if (!('share' in navigator)) return
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-share]')) {
    button.hidden = false
    // Whoever closes the list of apps has shared nothing.
    button.addEventListener(
      'click',
      () => void navigator.share({ url: button.dataset.share ?? '' }).catch(() => undefined),
    )
  }
}
