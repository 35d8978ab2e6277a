import { cx } from './class-names.ts'

type PageProps = {
  /** The heading of the page. */
  title: React.ReactNode
  /** The mono line above it. */
  eyebrow?: React.ReactNode
  /** A sentence or two below it. */
  intro?: React.ReactNode
  /** Buttons beside the heading. */
  actions?: React.ReactNode
  /** `work` is denser, for the signed-in area. `text` keeps a readable line length. */
  kind?: 'public' | 'work' | 'text'
  children?: React.ReactNode
}

/** The frame of a page inside the document's one `<main>`, which the root provides. */
export function Page({ title, eyebrow, intro, actions, kind = 'public', children }: PageProps) {
  const work = kind === 'work'
  return (
    <div className={cx('wrap', work ? 'pt-3 pb-10 sm:pt-5' : 'py-14 sm:py-20 lg:py-24')}>
      <div className={cx(kind === 'text' && 'max-w-[68ch]')}>
        <header
          className={cx(
            'flex flex-wrap items-end justify-between gap-x-10',
            work ? 'mb-3 gap-y-2 sm:mb-4 sm:gap-y-5' : 'mb-10 gap-y-5 sm:mb-14',
          )}
        >
          <div className={cx('grid', work ? 'max-w-5xl gap-0.5' : 'max-w-3xl gap-4')}>
            {eyebrow && <p className="eyebrow">{eyebrow}</p>}
            <h1 className={cx(work && 'text-h2')}>{title}</h1>
            {intro && <p className={cx('text-lead text-muted', work ? 'max-w-[96ch]' : 'max-w-[60ch]')}>{intro}</p>}
          </div>
          {/* The main action comes last, and on a phone, where the line scrolls, first. */}
          {actions && (
            <div className={work ? 'tool-line max-sm:[&>button:last-of-type]:order-first' : 'flex flex-wrap gap-3'}>{actions}</div>
          )}
        </header>
        {children}
      </div>
    </div>
  )
}
