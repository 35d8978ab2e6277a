import type { href } from 'react-router'
import { areas as staffAreas } from './areas.ts'
import { blogLoading } from './blog-titles.ts'
import { WITHDRAWAL, WITHDRAWAL_LINK } from './withdrawal.ts'

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

type Pending = { heading?: string; loading: string; shape: 'rows' | 'cards' | 'lines' | 'panels' }

type Area = Entry & {
  /** In the sidebar. The words of the user menu and of the header are fixed, so they are not always the same. */
  name?: string
  /** A line for the search. */
  about: string
  /** Its group in the sidebar. */
  group: Group
  /** The role whose sidebar shows it. The user menu shows every area to everyone: each page checks its own permission. */
  audience: Audience
  /** Its page while it is on the way: the heading, and the words and the shape of what loads. Without a heading, only the shape. */
  pending: Pending
  /** In the header of public pages, and first in the user menu. */
  inHeader?: true
  /** In the sidebar and in search only: the user menu is fixed. */
  isMinor?: true
}

/** The areas of the workspace, in the order of the user menu. The header, both menus, the sidebar and the search read this list. */
const areas: Area[] = [
  {
    to: '/dashboard',
    label: 'Dashboard',
    about: 'Leads, trend and export',
    group: 'Work',
    audience: 'everyone',
    pending: { loading: 'Loading dashboard...', shape: 'panels' },
    inHeader: true,
  },
  {
    to: '/leads',
    label: 'Leads',
    about: 'Every enquiry, from the first message on',
    group: 'Work',
    audience: 'staff',
    pending: { heading: 'Leads', loading: 'Loading leads...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/tasks',
    label: 'Tasks',
    about: 'Tasks and next steps of your leads',
    group: 'Work',
    audience: 'staff',
    pending: { heading: 'Tasks', loading: 'Loading tasks...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/admin/calendar',
    label: 'Calendar',
    about: 'Booked calls and your hours',
    group: 'Work',
    audience: 'staff',
    pending: { heading: 'Calendar', loading: 'Loading calendar...', shape: 'panels' },
    isMinor: true,
  },
  {
    to: '/admin/billing',
    label: 'Billing',
    about: 'Orders, invoices, payments',
    group: 'Work',
    audience: 'staff',
    pending: { heading: 'Billing', loading: 'Loading orders...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/dashboard/letters',
    label: 'Emails',
    about: 'Sent, waiting, failed',
    group: 'Work',
    audience: 'staff',
    pending: { heading: 'Emails', loading: 'Loading emails...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/notifications',
    label: 'Notifications',
    about: 'News about your work, on every device',
    group: 'Work',
    audience: 'everyone',
    pending: { heading: 'Notifications', loading: 'Loading notifications...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/data-marketplace',
    label: 'Data Marketplace',
    about: 'Datasets and APIs',
    group: 'Data',
    audience: 'everyone',
    pending: { heading: staffAreas.marketplace.title, loading: 'Loading data products...', shape: 'cards' },
    inHeader: true,
  },
  {
    to: '/admin/blog',
    label: 'Manage Blog',
    name: staffAreas.blog.name,
    about: 'Posts and drafts',
    group: 'Site',
    audience: 'staff',
    pending: { heading: staffAreas.blog.title, loading: 'Loading blog posts...', shape: 'lines' },
  },
  {
    to: '/admin/newsletter',
    label: 'Newsletter',
    about: 'Subscribers, and posts sent to them',
    group: 'Site',
    audience: 'staff',
    pending: { heading: 'Newsletter', loading: 'Loading subscribers...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/admin/redirects',
    label: 'Manage Redirects',
    name: staffAreas.redirects.name,
    about: 'Old URLs to new ones',
    group: 'Site',
    audience: 'staff',
    pending: { heading: staffAreas.redirects.title, loading: 'Loading redirects...', shape: 'rows' },
  },
  {
    to: '/admin/products',
    label: 'Manage Products',
    name: staffAreas.products.name,
    about: 'Create, price and publish datasets',
    group: 'Data',
    audience: 'staff',
    pending: { heading: staffAreas.products.title, loading: 'Loading products...', shape: 'rows' },
  },
  {
    to: '/admin/organizations',
    label: 'Organizations',
    about: 'Companies of customers, their people and datasets',
    group: 'People',
    audience: 'staff',
    pending: { heading: 'Organizations', loading: 'Loading organizations...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/admin/users',
    label: 'Users',
    about: 'People, roles and access',
    group: 'People',
    audience: 'owner',
    pending: { heading: 'Users', loading: 'Loading people...', shape: 'rows' },
    isMinor: true,
  },
  {
    to: '/admin/settings',
    label: 'Settings',
    about: 'Your business as visitors see it',
    group: 'Site',
    audience: 'staff',
    pending: { heading: 'Settings', loading: 'Loading the settings...', shape: 'lines' },
    isMinor: true,
  },
  {
    to: '/admin/webhooks',
    label: 'Webhooks',
    about: 'Events for other programs',
    group: 'Site',
    audience: 'owner',
    pending: { heading: 'Webhooks', loading: 'Loading endpoints...', shape: 'lines' },
    isMinor: true,
  },
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

/** Beside the legal texts where private persons buy. */
export const withdrawalLink: Entry = { to: WITHDRAWAL, label: WITHDRAWAL_LINK }

/** Pages that are shown as on the way, besides the areas: the first of these beginnings of a path applies. */
const pendingBelow: [string, Pending][] = [
  ['/account', { heading: 'Account', loading: 'Loading your account...', shape: 'lines' }],
  ['/leads/import', { heading: 'Import leads', loading: 'Loading imports...', shape: 'lines' }],
  ['/leads/duplicates', { heading: 'Duplicates', loading: 'Loading duplicates...', shape: 'rows' }],
  ['/leads/stages', { heading: 'Stages', loading: 'Loading stages...', shape: 'rows' }],
  ['/leads/', { heading: 'Lead', loading: 'Loading the lead...', shape: 'lines' }],
  ['/admin/billing/orders/', { heading: 'Order', loading: 'Loading the order...', shape: 'lines' }],
  ['/admin/billing/payments/', { heading: 'Payment', loading: 'Loading the payment...', shape: 'lines' }],
  ['/data-marketplace/', { loading: 'Loading the dataset...', shape: 'rows' }],
  ['/blog/', { loading: blogLoading.post, shape: 'lines' }],
  ['/blog', { heading: blogLoading.title, loading: blogLoading.list, shape: 'cards' }],
]

/** The placeholder of a page that is on the way to someone signed in. Undefined for pages that arrive complete. */
export function pendingAt(path: string): Pending | undefined {
  if (path === '/') return { loading: 'Loading your workspace...', shape: 'panels' }
  return areas.find(({ to }) => to === path)?.pending ?? pendingBelow.find(([beginning]) => path.startsWith(beginning))?.[1]
}
