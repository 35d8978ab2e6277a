import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { postWords } from '#app/content/blog.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { share } from './share.island.ts'

type ShareButtonProps = { title: string; excerpt: string; url: string }

/** Without script it links to an email with the URL. */
export function ShareButton({ title, excerpt, url }: ShareButtonProps) {
  const { label, copied, failed } = postWords.share
  const email = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${excerpt}\n\n${url}`)}`
  const data = { 'data-title': title, 'data-text': excerpt, 'data-url': url, 'data-copied': copied, 'data-failed': `${failed} ${url}` }
  return (
    <Behaviour of={share} on="visible" className="flex flex-wrap items-center gap-3 print:hidden">
      <span className="noscript:hidden">
        <button type="button" {...data} className={buttonLook('quiet', 'small')}>
          {label}
        </button>
      </span>
      <span className="hidden noscript:inline">
        <a href={email} className={buttonLook('quiet', 'small')}>
          {label}
        </a>
      </span>
      <span role="status" className="text-small wrap-anywhere text-muted" />
    </Behaviour>
  )
}
