/**
 * Opens what was taken in a new tab. A browser allows that for a moment after a press, and a file that had to be made first may come later: then it is
 * fetched in this tab, which stays where it is, because it is a file.
 */
export function openTaken(url: string): void {
  const mayOpen = navigator.userActivation?.isActive ?? true
  const link = Object.assign(document.createElement('a'), { href: url, rel: 'noopener', ...(mayOpen && { target: '_blank' }) })
  document.body.append(link)
  link.click()
  link.remove()
}
