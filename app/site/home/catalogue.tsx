import {
  BriefSample,
  ChangeSample,
  JsonSample,
  LeadSample,
  MarketSample,
  PipelineSample,
  PriceSample,
} from '#app/site/services/card-samples.tsx'
import { ServiceCard } from '#app/site/services/service-card.tsx'
import { servicesSection } from '#app/content/home.ts'
import { customService, type ServiceSample, services } from '#app/content/services.ts'
import { buttonLook } from '#app/ui/button-look.ts'

const samples: Record<ServiceSample, React.ReactNode> = {
  prices: <PriceSample />,
  lead: <LeadSample />,
  market: <MarketSample />,
  answer: <JsonSample />,
  pipeline: <PipelineSample />,
  changes: <ChangeSample />,
}

/** In the order of the content: a wide and a narrow one, three equal ones, a wide one beside the custom block. */
const spans = ['lg:col-span-7', 'lg:col-span-5', 'lg:col-span-4', 'lg:col-span-4', 'lg:col-span-4', 'lg:col-span-7']

export function HomeCatalog() {
  return (
    <section id="services" aria-labelledby="services-title" className="border-t border-line">
      <div className="wrap py-20 sm:py-28">
        <div className="max-w-3xl">
          <h2 id="services-title">{servicesSection.title}</h2>
          <p className="mt-4 text-lead text-muted">{servicesSection.text}</p>
        </div>
        <div className="mt-12 grid gap-5 lg:grid-cols-12">
          {services.map((service, index) => (
            <ServiceCard
              key={service.id}
              service={service}
              sample={samples[service.sample]}
              isWide={spans[index] === 'lg:col-span-7'}
              className={spans[index]}
            />
          ))}
          <div className="grid content-between gap-10 rounded-card bg-sunken p-6 sm:p-8 lg:col-span-5">
            <div className="grid gap-3">
              <h3 className="text-h2">{customService.title}</h3>
              <p className="text-muted">{customService.text}</p>
            </div>
            <BriefSample />
            <p>
              <a href="#contact" className={buttonLook('primary', 'large')}>
                {customService.action}
              </a>
            </p>
          </div>
        </div>
      </div>
    </section>
  )
}
