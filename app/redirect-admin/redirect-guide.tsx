import { Card } from '#app/ui/card.tsx'

/** What everyone has to know who changes something here. */
export function RedirectGuide() {
  return (
    <Card as="section" aria-labelledby="guide" className="grid gap-2 border-l-4 border-l-grain">
      <h2 id="guide" className="text-h3">
        301 Redirects Guide
      </h2>
      <ul className="grid max-w-[75ch] list-disc gap-1 pl-5 text-small text-muted marker:text-grain">
        <li>
          Redirects are <strong className="text-ink">processed in the order they appear</strong>. The first active one that fits an address
          answers it.
        </li>
        <li>They come before pages. The workspace, sign-in, the API and files of the site are never redirected.</li>
        <li>Take 301 or 308 for what has moved for good: search engines then show the new address. Take 302 or 307 for a while.</li>
      </ul>
    </Card>
  )
}
