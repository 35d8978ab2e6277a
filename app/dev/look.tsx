import { Avatar } from '#app/ui/avatar.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Bullets } from '#app/ui/bullets.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmailText } from '#app/ui/email-text.tsx'
import { Fold, OpenSign } from '#app/ui/fold.tsx'
import { LocalMoment } from '#app/ui/local-moment.tsx'
import { Section, SectionHead } from '#app/ui/section.tsx'
import { GallerySection } from './gallery-section.tsx'

const grounds = [
  'bg-paper',
  'bg-surface',
  'bg-sunken',
  'bg-grain',
  'bg-grain-wash',
  'bg-leaf-wash',
  'bg-alarm-wash',
  'bg-ink',
  'bg-line',
  'bg-edge',
]
const inks = ['text-ink', 'text-muted', 'text-grain-text', 'text-leaf', 'text-alarm']

export function Colours() {
  return (
    <GallerySection title="Colours">
      <ul className="grid grid-cols-2 gap-4 sm:grid-cols-5">
        {grounds.map((ground) => (
          <li key={ground} className="grid gap-2">
            <span className={`h-16 rounded-card border border-line ${ground}`} />
            <code className="text-fine text-muted">{ground}</code>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-8 gap-y-2">
        {inks.map((ink) => (
          <li key={ink} className={`font-medium ${ink}`}>
            {ink}
          </li>
        ))}
      </ul>
    </GallerySection>
  )
}

const sizes = ['text-hero', 'text-h1', 'text-h2', 'text-h3']

export function Type() {
  return (
    <GallerySection title="Type">
      {sizes.map((size) => (
        <p key={size} className={`font-display font-semibold tracking-tight text-balance ${size}`}>
          Messy web in, clean rows out
        </p>
      ))}
      <p className="max-w-[60ch] text-lead text-muted">Lead: prices, products and listings, read on schedule and checked row by row.</p>
      <p className="max-w-[68ch]">
        Body: you name the sites and the columns. We write the scraper, run it, check the results and deliver the file, with{' '}
        <a href="/contact" className="link">
          a link in the text
        </a>{' '}
        and <code>inline code</code>.
      </p>
      <p className="text-small text-muted">
        A moment in the reader’s zone: <LocalMoment at="2026-11-20T06:00:04Z" />
      </p>
      <p className="max-w-48 border border-line text-small">
        <EmailText>a-rather-long-name@a-company-with-a-long-name.example</EmailText>
      </p>
      <p className="font-mono text-small tabular-nums">Mono: 1,248 rows · 38.90 USD · −23.3% · 2026-11-20T06:00:04Z</p>
    </GallerySection>
  )
}

export function Badges() {
  return (
    <GallerySection title="Badges, cards, people">
      <div className="flex flex-wrap gap-3">
        <Badge>Draft</Badge>
        <Badge look="grain">Most Popular</Badge>
        <Badge look="leaf" dot>
          Live
        </Badge>
        <Badge look="alarm" dot>
          Overdue
        </Badge>
      </div>
      <div className="grid gap-6 md:grid-cols-2">
        <Card>
          <h3>Card</h3>
          <p className="text-muted">A surface on the paper, held by a hairline.</p>
        </Card>
        <Card pad="roomy" className="flex items-center gap-4">
          <Avatar src={undefined} label="Ada" />
          <p>A roomy card, with someone whose picture is not known.</p>
        </Card>
        <Card pad="none" className="flex items-center gap-4">
          <Avatar src="/icon-192.png" label="A company" />
          <p>A card without a margin, and a picture that is known.</p>
        </Card>
      </div>
    </GallerySection>
  )
}

export function Sections() {
  return (
    <GallerySection title="Sections, folds, lists">
      <Section id="gallery-section" ground="sunken" pad="close" className="grid gap-6">
        <SectionHead of="gallery-section" title="A section of a public page" text="With a sentence beside its heading." />
        <Bullets items={['What is in it', 'And what else']} />
        <Fold summary={<h3>Folded on a phone</h3>}>
          <p className="text-muted">Whole on a wider page, and in print.</p>
        </Fold>
        <details className="group border-y border-line">
          <summary className="flex min-h-12 list-none items-center justify-between gap-4">
            A question
            <OpenSign />
          </summary>
          <p className="pb-3 text-muted">Its answer.</p>
        </details>
      </Section>
    </GallerySection>
  )
}
