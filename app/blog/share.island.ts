/** Hands title, excerpt and address to the device's own way of sharing; where there is none, the address is copied. */
export function share(element: HTMLElement) {
  const button = element.querySelector('button')
  const status = element.querySelector('[role=status]')
  if (!button || !status) return undefined
  const { title, text, url = '', copied, failed } = button.dataset
  // Not every browser can share, and on plain HTTP none can copy.
  const device: Partial<Navigator> = navigator
  const tell = (text = '') => void (status.textContent = text)
  async function hand() {
    try {
      if (device.share) await device.share({ title, text, url })
      else if (device.clipboard) await device.clipboard.writeText(url).then(() => tell(copied))
      else tell(failed)
    } catch (error) {
      // Whoever closes the device's own dialog has not failed at anything.
      if (!(error instanceof DOMException && error.name === 'AbortError')) tell(failed)
    }
  }
  const onClick = () => void hand()
  button.addEventListener('click', onClick)
  return () => button.removeEventListener('click', onClick)
}
