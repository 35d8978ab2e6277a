import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/** The legal texts share one page. */
const legal = (path: string) => route(path, 'site/shell/legal.page.tsx', { id: `legal:${path}` })

/** The texts of the API documentation share one page. */
const docs = (path: string) => route(path, 'data-api/docs/prose.page.tsx', { id: `docs:${path}` })

/** The pictures that browsers ask for without a link. */
const icon = (path: string) => route(path, 'site/seo/icon.page.ts', { id: `icon:${path}` })

/** Every URL of the product and the file that serves it. Read this first. */
export default [
  index('site/home/home.page.tsx'),
  route('services', 'site/services/services.page.tsx'),
  route('case-studies', 'site/case-studies/case-studies.page.tsx'),
  route('blog', 'blog/public/blog.page.tsx'),
  route('blog/feed.xml', 'blog/public/rss.page.ts'),
  route('blog/atom.xml', 'blog/public/atom.page.ts'),
  route('blog/feed.json', 'blog/public/json-feed.page.ts'),
  route('blog/preview/:token', 'blog/public/preview.page.tsx'),
  route('blog/:slug', 'blog/public/post.page.tsx'),
  route('newsletter', 'blog/newsletter/subscribe.page.tsx'),
  route('newsletter/confirm', 'blog/newsletter/confirm-subscription.page.tsx'),
  route('newsletter/unsubscribe', 'blog/newsletter/unsubscribe.page.tsx'),
  route('developers', 'data-api/docs/developers.page.tsx'),
  route('developers/endpoints', 'data-api/docs/endpoints.page.tsx'),
  docs('developers/guide'),
  docs('developers/errors'),
  docs('developers/changelog'),
  route('hire-web-scraping-developer', 'site/hire/hire.page.tsx'),
  route('about', 'site/shell/about.page.tsx'),
  route('contact', 'leads/form/contact.page.tsx'),
  route('get-started', 'site/hire/get-started.page.tsx'),
  route('book', 'booking/page/book.page.tsx'),
  route('book/:type', 'booking/page/book.page.tsx', { id: 'book-type' }),
  route('book/manage/:token', 'booking/page/manage.page.tsx'),
  route('book/manage/:token/call.ics', 'booking/page/call-file.page.ts'),
  route('enquiry/:token', 'site/enquiry/enquiry.page.tsx'),
  route('proposal/:token', 'billing/proposals/proposal.page.tsx'),
  route('verify', 'billing/proposals/verify.page.tsx'),
  route('withdraw', 'billing/withdrawals/withdraw.page.tsx'),
  route('booking-success', 'site/shell/booking-success.page.tsx'),
  route('datasets', 'datasets/pages/datasets.page.tsx'),
  // Anonymous visitors read about a dataset; signed-in users also see its rows.
  route('data-marketplace/:slug', 'datasets/pages/dataset.page.tsx'),
  // Forms that work without script, also where signing in comes first.
  route('data-marketplace/:slug/buy', 'billing/buying/buy.page.tsx'),
  route('pay/:reference', 'billing/buying/pay.page.tsx'),
  route('pay/test/:id', 'billing/buying/test-pay.page.tsx'),
  legal('privacy-policy'),
  legal('terms-of-service'),
  legal('cookie-policy'),

  route('login', 'account/sign-in/sign-in.page.tsx'),
  route('login/code', 'account/sign-in/code.page.tsx'),
  route('login/confirm', 'account/sign-in/confirm.page.tsx'),
  route('login/forgot-password', 'account/sign-in/forgot-password.page.tsx'),
  route('login/link', 'account/sign-in/link.page.tsx'),
  route('login/new-address', 'account/sign-in/new-address.page.tsx'),
  route('login/new-password', 'account/sign-in/new-password.page.tsx'),
  route('login/return', 'account/sign-in/return.page.tsx'),
  route('login/resume', 'account/sign-in/resume.page.tsx'),
  route('login/second-step', 'account/sign-in/mfa.page.tsx'),
  route('login/sign-out', 'account/sign-in/sign-out.page.tsx'),

  // Signed-in area. The layout hydrates these pages; the `handle` of each names its permission.
  layout('account/session/workspace.layout.tsx', [
    route('dashboard', 'workspace/dashboard.page.tsx'),
    route('dashboard/letters', 'mail/emails.page.tsx'),
    route('leads', 'leads/list/leads.page.tsx'),
    route('leads/inbox', 'leads/mailbox/unknown-email.page.tsx'),
    route('leads/import', 'leads/import/import.page.tsx'),
    route('leads/duplicates', 'leads/record/duplicates.page.tsx'),
    route('leads/stages', 'leads/list/stages.page.tsx'),
    route('tasks', 'leads/record/tasks.page.tsx'),
    route('leads/:reference/proposal', 'billing/proposals/lead-proposal.page.tsx'),
    layout('workspace/lead.layout.tsx', [route('leads/:reference', 'leads/record/lead.page.tsx')]),
    route('admin/calendar', 'booking/calendar/calendar.page.tsx'),
    route('notifications', 'account/notifications/notifications.page.tsx'),
    layout('account/settings/account.layout.tsx', [
      route('account', 'account/settings/profile.page.tsx'),
      route('account/security', 'account/settings/security.page.tsx'),
      route('account/devices', 'account/settings/devices.page.tsx'),
      route('account/notifications', 'account/notifications/preferences.page.tsx'),
      route('account/organization', 'organizations/page/organization.page.tsx'),
      route('account/billing', 'billing/account/billing.page.tsx'),
      route('account/keys', 'data-api/keys/keys.page.tsx'),
      route('account/data', 'account/settings/data.page.tsx'),
    ]),
    route('data-marketplace', 'datasets/pages/marketplace.page.tsx'),
    route('data-marketplace/:slug/query', 'datasets/sql/query.page.tsx'),
    route('admin/blog', 'blog/admin/blog.page.tsx'),
    route('admin/newsletter', 'blog/newsletter/newsletter.page.tsx'),
    route('admin/redirects', 'redirects/admin/redirects.page.tsx'),
    route('admin/products', 'datasets/admin/products.page.tsx'),
    route('admin/organizations', 'organizations/admin/organizations.page.tsx'),
    route('admin/organizations/:reference', 'workspace/organization.page.tsx'),
    route('admin/billing', 'billing/desk/billing.page.tsx'),
    route('admin/billing/orders/:reference', 'billing/admin/order.page.tsx'),
    route('admin/billing/payments/:id', 'billing/admin/payment.page.tsx'),
    route('admin/users', 'users/users.page.tsx'),
    route('admin/settings', 'site/settings/settings.page.tsx'),
    route('admin/webhooks', 'data-api/webhooks/webhooks.page.tsx'),
  ]),

  route('dev/mail', 'mail/inbox.page.tsx'),
  route('dev/gallery', 'dev/gallery.page.tsx'),
  route('theme', 'site/shell/theme.page.ts'),

  // For machines.
  route('sitemap.xml', 'site/seo/sitemap.page.ts'),
  route('robots.txt', 'site/seo/robots.page.ts'),
  route('llms.txt', 'site/seo/llms.page.ts'),
  route('site.webmanifest', 'site/seo/manifest.page.ts'),
  icon('favicon.ico'),
  icon('apple-touch-icon.png'),

  route('*', 'site/shell/not-found.page.tsx'),
] satisfies RouteConfig
