/** Opens the device's share dialog; without one, copies the URL. */
export function share(element: HTMLElement) {
  const button = element.querySelector('button')
  const status = element.querySelector('[role=status]')
  if (!button || !status) return undefined
  const { title, text, url = '', copied, failed } = button.dataset
  // Some browsers cannot share, and on plain HTTP none can copy.
  const device: Partial<Navigator> = navigator
  const show = (text = '') => void (status.textContent = text)
  async function hand() {
    try {
      if (device.share) await device.share({ title, text, url })
      else if (device.clipboard) await device.clipboard.writeText(url).then(() => show(copied))
      else show(failed)
    } catch (error) {
      // Closing the share dialog is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) show(failed)
    }
  }
  const onClick = () => void hand()
  button.addEventListener('click', onClick)
  return () => button.removeEventListener('click', onClick)
}
