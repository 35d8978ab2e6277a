import type { Handle } from '#app/access.server.ts'
import { href } from 'react-router'
import { env } from '#app/platform/env.server.ts'
import { type Offering, offerings, servicesText } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { headOf } from '#app/content/seo.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import type { Route } from './+types/services.page.ts'
import { DirectWays } from './direct-ways.tsx'
import { OfferingSheet } from './offering-sheet.tsx'
import { AnalysisSample, ApiSample, MonitoringSample, ScrapingSample } from './offering-samples.tsx'

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta = () => headOf('/services')

export const loader = () => ({ bookingUrl: env.BOOKING_URL })

const samples: Record<Offering['sample'], React.ReactNode> = {
  row: <ScrapingSample />,
  answer: <ApiSample />,
  alerts: <MonitoringSample />,
  match: <AnalysisSample />,
}

export default function ServicesPage({ loaderData }: Route.ComponentProps) {
  const { closing } = servicesText
  return (
    <>
      <header className="wrap py-14 sm:py-20 lg:py-24">
        <div className="grid max-w-3xl gap-4">
          <p className="eyebrow">{servicesText.eyebrow}</p>
          <h1>{servicesText.title}</h1>
          <p className="max-w-[60ch] text-lead text-muted">{servicesText.introduction}</p>
          <p className="mt-4">
            <ButtonLink to={href('/contact')} size="large">
              {servicesText.contact}
            </ButtonLink>
          </p>
        </div>
        <Overview offerings={Object.values(offerings)} />
      </header>
      {Object.values(offerings).map((offering, index) => (
        <OfferingSheet key={offering.id} offering={offering} sample={samples[offering.sample]} isMirrored={index % 2 === 1} />
      ))}
      <div className="wrap py-14 sm:py-20">
        <ClosingCall
          title={closing.title}
          text={closing.text}
          ways={[
            { to: href('/contact'), label: closing.contact },
            { to: href('/case-studies'), label: closing.stories },
          ]}
        >
          <DirectWays bookingUrl={loaderData.bookingUrl} />
        </ClosingCall>
      </div>
    </>
  )
}

/** An overview of the four offerings: name, price, delivery time. Each line links to its sheet. */
function Overview({ offerings }: { offerings: Offering[] }) {
  return (
    <nav aria-label="Services" className="mt-12 sm:mt-16">
      <ul className="grid border-b border-line sm:grid-cols-[max-content_max-content_minmax(0,1fr)] lg:grid-cols-[6fr_2fr_4fr]">
        {offerings.map(({ id, title, price, time }) => (
          <li key={id} className="grid border-t border-line sm:col-span-3 sm:grid-cols-subgrid">
            <a href={`#${id}`} className="group grid min-h-14 gap-x-6 gap-y-1 py-4 sm:col-span-3 sm:grid-cols-subgrid sm:items-baseline">
              <span className="font-display text-h3 font-semibold tracking-tight group-hover:underline">{title}</span>{' '}
              <span className="font-mono text-small text-grain-text">{priceText(price)}</span>{' '}
              <span className="font-mono text-small text-muted sm:text-right">{time}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
