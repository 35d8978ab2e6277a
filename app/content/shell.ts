/** The texts of the frame of every page, and of pages that only redirect. The links themselves are in navigation.ts. */
export const shell = {
  skip: 'Skip to content',
  start: 'Get Started Today',
  login: 'Login',
  logout: 'Logout',
  menu: { title: 'Menu', open: 'Open menu', close: 'Close menu' },
  home: 'Home',
  publicSite: 'Public site',
  rail: { fold: 'Fold the sidebar', unfold: 'Unfold the sidebar' },
  logoMenu: { label: 'Home menu', workspace: 'Workspace home' },
  notifications: 'Notifications',
  footer: { services: 'Services', company: 'Company', legal: 'Legal', elsewhere: 'Elsewhere' },
  figures: 'In figures',
  goHome: 'Go to the home page',
  seeServices: 'See our services',
  contact: 'Contact us',
} as const
