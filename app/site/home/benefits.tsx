import { benefits, type FeatureIcon, features } from '#app/content/home.ts'
import { CheckCheck, Clock, Scale, Table2 } from 'lucide-react'

const icons: Record<FeatureIcon, React.ReactNode> = {
  check: <CheckCheck className="size-6" aria-hidden="true" />,
  clock: <Clock className="size-6" aria-hidden="true" />,
  table: <Table2 className="size-6" aria-hidden="true" />,
  scale: <Scale className="size-6" aria-hidden="true" />,
}

/** Before and after, and four promises for every delivery. */
export function Benefits() {
  return (
    <section aria-labelledby="benefits" className="border-t border-line bg-surface">
      <div className="wrap py-20 sm:py-28">
        <h2 id="benefits" className="max-w-[20ch]">
          {benefits.title}
        </h2>
        <ul className="mt-12 border-b border-line">
          {benefits.items.map(({ before, after, text }) => (
            <li key={after} className="grid gap-x-8 gap-y-2 border-t border-line py-6 lg:grid-cols-12 lg:items-baseline">
              <p className="text-small text-muted line-through decoration-edge lg:col-span-3">{before}</p>
              <h3 className="lg:col-span-4">{after}</h3>
              <p className="text-muted lg:col-span-5">{text}</p>
            </li>
          ))}
        </ul>
        <ul className="mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:mt-16 lg:grid-cols-4">
          {features.map(({ icon, title, description }) => (
            <li key={title} className="grid content-start gap-2">
              <span className="mb-1 text-grain-text">{icons[icon]}</span>
              <h3 className="font-sans text-body font-semibold tracking-normal">{title}</h3>
              <p className="text-small text-muted">{description}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
