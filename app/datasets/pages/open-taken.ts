/**
 * Opens a download in a new tab. Browsers allow that only shortly after a click, and a file may first have to be generated. Then it
 * downloads in this tab, which does not navigate away.
 */
export function openDownload(url: string): void {
  const mayOpen = navigator.userActivation?.isActive ?? true
  const link = Object.assign(document.createElement('a'), { href: url, rel: 'noopener', ...(mayOpen && { target: '_blank' }) })
  document.body.append(link)
  link.click()
  link.remove()
}
