import type { href } from 'react-router'

type Entry = { to: Parameters<typeof href>[0]; label: string }

/** In the header and the drawer, for everyone. */
export const mainLinks: Entry[] = [
  { to: '/services', label: 'Services' },
  { to: '/case-studies', label: 'Case Studies' },
  { to: '/datasets', label: 'Datasets' },
  { to: '/blog', label: 'Blog' },
  { to: '/hire-web-scraping-developer', label: 'Hire a Developer' },
  { to: '/about', label: 'About' },
  { to: '/contact', label: 'Contact' },
]

type Audience = 'everyone' | 'staff' | 'owner'
type Group = 'Work' | 'Data' | 'Site' | 'People'

type Area = Entry & {
  /** A line for the home page of the workspace. */
  about: string
  /** Its group in the sidebar. */
  group: Group
  /** The role whose sidebar and home page show it. The user menu shows every area to everyone: each page checks its own permission. */
  audience: Audience
  /** In the header of public pages, and first in the user menu. */
  inHeader?: true
  /** In the sidebar and in search only: the user menu is fixed. */
  isMinor?: true
}

/** The areas of the workspace, in the order of the user menu. The header, both menus, the sidebar and the home page read this list. */
const areas: Area[] = [
  { to: '/dashboard', label: 'Dashboard', about: 'Leads, trend and export', group: 'Work', audience: 'everyone', inHeader: true },
  { to: '/dashboard/letters', label: 'Emails', about: 'Sent, waiting, failed', group: 'Work', audience: 'staff', isMinor: true },
  {
    to: '/notifications',
    label: 'Notifications',
    about: 'What happened, on every device',
    group: 'Work',
    audience: 'everyone',
    isMinor: true,
  },
  { to: '/data-marketplace', label: 'Data Marketplace', about: 'Datasets and APIs', group: 'Data', audience: 'everyone', inHeader: true },
  { to: '/admin/blog', label: 'Manage Blog', about: 'Posts and drafts', group: 'Site', audience: 'staff' },
  { to: '/admin/redirects', label: 'Manage Redirects', about: 'Old URLs to new ones', group: 'Site', audience: 'staff' },
  { to: '/admin/products', label: 'Manage Products', about: 'Create, price and publish datasets', group: 'Data', audience: 'staff' },
  { to: '/admin/users', label: 'Users', about: 'People, roles and access', group: 'People', audience: 'owner', isMinor: true },
]

/** In the user menu, the same for everyone: each page checks its own permission. */
export const workspaceAreas = areas.filter(({ isMinor }) => !isMinor)

/** In the header of signed-in people. */
export const workspaceLinks = areas.filter(({ inHeader }) => inHeader)

const audiences: Record<'customer' | 'staff' | 'owner', readonly Audience[]> = {
  customer: ['everyone'],
  staff: ['everyone', 'staff'],
  owner: ['everyone', 'staff', 'owner'],
}

/** The groups of the sidebar with the areas of a role; a group without an area is left out. */
export function areaGroups(role: keyof typeof audiences): { group: Group; areas: Area[] }[] {
  return (['Work', 'Data', 'Site', 'People'] as const)
    .map((group) => ({ group, areas: areas.filter((area) => area.group === group && audiences[role].includes(area.audience)) }))
    .filter(({ areas: found }) => found.length > 0)
}

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
  { to: '/datasets', label: 'Datasets' },
  { to: '/developers', label: 'Developers' },
]

export const legalLinks: Entry[] = [
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/terms-of-service', label: 'Terms of Service' },
  { to: '/cookie-policy', label: 'Cookie Policy' },
]
