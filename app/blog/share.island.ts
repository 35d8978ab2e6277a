/** Hands title, excerpt and address to the device's own way of sharing; where there is none, the address is copied. */
export function share(element: HTMLElement) {
  const button = element.querySelector('button')
  const status = element.querySelector('[role=status]')
  if (!button || !status) return undefined
  const { title, text, url = '', copied, failed } = button.dataset
  // Not every browser can share, and on plain HTTP none can copy.
  const device: Partial<Navigator> = navigator
  async function hand() {
    try {
      if (device.share) await device.share({ title, text, url })
      else {
        if (!device.clipboard) throw new Error('Nothing can be copied here.')
        await device.clipboard.writeText(url)
        if (status) status.textContent = copied ?? ''
      }
    } catch (error) {
      // Whoever closes the device's own dialog has not failed at anything.
      if (status && !(error instanceof DOMException && error.name === 'AbortError')) status.textContent = failed ?? ''
    }
  }
  const onClick = () => void hand()
  button.addEventListener('click', onClick)
  return () => button.removeEventListener('click', onClick)
}
