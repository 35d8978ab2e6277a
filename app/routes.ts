import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** The legal texts have one page. */
const legal = (path: string) => route(path, 'site/legal.page.tsx', { id: `legal:${path}` })

/** Every URL of the product and the file that answers it. Read this first. */
export default [
  index('home/home.page.tsx'),
  route('services', 'services/services.page.tsx'),
  route('case-studies', 'stories/case-studies.page.tsx'),
  route('blog', 'blog/blog.page.tsx'),
  route('blog/feed.xml', 'blog/rss.page.ts'),
  route('blog/atom.xml', 'blog/atom.page.ts'),
  route('blog/feed.json', 'blog/json-feed.page.ts'),
  route('blog/preview/:token', 'blog/preview.page.tsx'),
  route('blog/:slug', 'blog/post.page.tsx'),
  route('developers', 'developers/developers.page.tsx'),
  route('hire-web-scraping-developer', 'landing/hire.page.tsx'),
  route('about', 'site/about.page.tsx'),
  route('contact', 'enquiry/contact.page.tsx'),
  route('get-started', 'landing/get-started.page.tsx'),
  route('booking-success', 'site/booking-success.page.tsx'),
  // Strangers read what a dataset is; for those signed in the same page has its rows.
  route('data-marketplace/:slug', 'marketplace/dataset.page.tsx'),
  legal('privacy-policy'),
  legal('terms-of-service'),
  legal('cookie-policy'),

  route('login', 'login/sign-in.page.tsx'),
  route('login/code', 'sign-in-steps/code.page.tsx'),
  route('login/confirm', 'letter-pages/confirm.page.tsx'),
  route('login/forgot-password', 'letter-pages/forgot-password.page.tsx'),
  route('login/link', 'letter-pages/link.page.tsx'),
  route('login/new-address', 'letter-pages/new-address.page.tsx'),
  route('login/new-password', 'letter-pages/new-password.page.tsx'),
  route('login/return', 'sign-in-steps/return.page.tsx'),
  route('login/resume', 'login/resume.page.tsx'),
  route('login/second-step', 'sign-in-steps/second-step.page.tsx'),
  route('login/sign-out', 'login/sign-out.page.tsx'),

  // Signed in. The layout makes these pages live; what each one needs is said in access.server.ts.
  layout('account/workspace.layout.tsx', [
    route('dashboard', 'dashboard/dashboard.page.tsx'),
    route('dashboard/letters', 'mail/letters.page.tsx'),
    layout('own-account/account.layout.tsx', [
      route('account', 'own-account/profile.page.tsx'),
      route('account/security', 'own-security/security.page.tsx'),
      route('account/devices', 'own-security/devices.page.tsx'),
      route('account/keys', 'own-keys/keys.page.tsx'),
      route('account/data', 'own-data/data.page.tsx'),
    ]),
    route('data-marketplace', 'marketplace/marketplace.page.tsx'),
    route('data-marketplace/:slug/query', 'dataset-query/query.page.tsx'),
    route('admin/blog', 'blog-admin/blog.page.tsx'),
    route('admin/redirects', 'redirect-admin/redirects.page.tsx'),
    route('admin/products', 'product-admin/products.page.tsx'),
    route('admin/users', 'user-admin/users.page.tsx'),
  ]),

  route('dev/mail', 'mail/inbox.page.tsx'),
  route('dev/gallery', 'gallery/gallery.page.tsx'),
  route('theme', 'site/theme.page.ts'),

  // For machines.
  route('sitemap.xml', 'crawlers/sitemap.page.ts'),
  route('robots.txt', 'crawlers/robots.page.ts'),
  route('llms.txt', 'crawlers/llms.page.ts'),
  route('site.webmanifest', 'crawlers/manifest.page.ts'),

  route('*', 'site/not-found.page.tsx'),
] satisfies RouteConfig
