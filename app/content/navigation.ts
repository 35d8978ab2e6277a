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

/** `about` is a line for the home page of the workspace. */
type Area = Entry & { about: string; inHeader?: true }

/** The areas of the workspace in the order of the user menu, the same for everyone: each page checks its own permission. */
export const workspaceAreas: Area[] = [
  { to: '/dashboard', label: 'Dashboard', about: 'Leads, trend and export', inHeader: true },
  { to: '/data-marketplace', label: 'Data Marketplace', about: 'Datasets and APIs', inHeader: true },
  { to: '/admin/blog', label: 'Manage Blog', about: 'Posts and drafts' },
  { to: '/admin/redirects', label: 'Manage Redirects', about: 'Old URLs to new ones' },
  { to: '/admin/products', label: 'Manage Products', about: 'Create, price and publish datasets' },
]

/** In the header of signed-in people. */
export const workspaceLinks: Entry[] = workspaceAreas.filter(({ inHeader }) => inHeader)

/** In the user menu below the areas, and in the drawer beside the person. */
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
