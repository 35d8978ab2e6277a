import type { href } from 'react-router'

type Entry = { to: Parameters<typeof href>[0]; label: string }

/** In the header and the drawer, for everyone. */
export const mainLinks: Entry[] = [
  { to: '/services', label: 'Services' },
  { to: '/case-studies', label: 'Case Studies' },
  { to: '/blog', label: 'Blog' },
  { to: '/hire-web-scraping-developer', label: 'Hire a Developer' },
  { to: '/about', label: 'About' },
  { to: '/contact', label: 'Contact' },
]

/** Added for signed-in people. */
export const workspaceLinks: Entry[] = [
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/data-marketplace', label: 'Data Marketplace' },
]

/** In the drawer beside the person. */
export const accountLinks: Entry[] = [
  { to: '/admin/users', label: 'Users' },
  { to: '/account', label: 'Account' },
]

/** For signed-in people `/` is the workspace; this is the visitors' page. */
export const publicSite = { to: '/?view=public', label: 'View public site' }

export const companyLinks: Entry[] = [
  { to: '/about', label: 'About' },
  { to: '/case-studies', label: 'Case Studies' },
  { to: '/contact', label: 'Contact' },
  { to: '/developers', label: 'Developers' },
]

export const legalLinks: Entry[] = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
  { to: '/cookie-policy', label: 'Cookie Policy' },
]
