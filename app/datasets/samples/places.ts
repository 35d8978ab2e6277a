/** Locations of the fictional companies: real cities, so that maps and filters make sense. The last number is the relative frequency. */
export const places = [
  {
    country: 'United States',
    code: 'US',
    cities: ['Austin', 'Boston', 'Chicago', 'Denver', 'Portland', 'Raleigh', 'Columbus', 'Phoenix'],
    weight: 9,
  },
  { country: 'United Kingdom', code: 'GB', cities: ['London', 'Leeds', 'Bristol', 'Manchester', 'Glasgow'], weight: 5 },
  { country: 'Germany', code: 'DE', cities: ['Berlin', 'Hamburg', 'Munich', 'Leipzig', 'Cologne', 'Stuttgart'], weight: 5 },
  { country: 'France', code: 'FR', cities: ['Paris', 'Lyon', 'Nantes', 'Toulouse', 'Lille'], weight: 3 },
  { country: 'Netherlands', code: 'NL', cities: ['Amsterdam', 'Utrecht', 'Rotterdam', 'Eindhoven'], weight: 3 },
  { country: 'Sweden', code: 'SE', cities: ['Stockholm', 'Gothenburg', 'Malmö'], weight: 2 },
  { country: 'Spain', code: 'ES', cities: ['Madrid', 'Barcelona', 'Valencia', 'Bilbao'], weight: 2 },
  { country: 'Italy', code: 'IT', cities: ['Milan', 'Turin', 'Bologna', 'Rome'], weight: 2 },
  { country: 'Canada', code: 'CA', cities: ['Toronto', 'Montréal', 'Vancouver', 'Calgary'], weight: 3 },
  { country: 'Australia', code: 'AU', cities: ['Sydney', 'Melbourne', 'Brisbane'], weight: 2 },
].flatMap(({ weight, ...place }) => Array.from({ length: weight }, () => place))
