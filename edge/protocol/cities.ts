// Cities of the demo's exits. An operator's exits may be in other places.
import { toSlug } from '#platform/slug.ts';

export interface City {
  /** As written in usernames, for example new_york_city. */
  code: string;
  name: string;
  /** ISO 3166-2 of its state. */
  state: string;
}

/** State -> cities. */
const CITIES: Record<string, readonly string[]> = {
  'AU-NSW': ['Sydney', 'Newcastle'],
  'AU-QLD': ['Brisbane', 'Gold Coast'],
  'AU-SA': ['Adelaide'],
  'AU-VIC': ['Melbourne', 'Geelong'],
  'AU-WA': ['Perth'],
  'BR-BA': ['Salvador'],
  'BR-DF': ['Brasilia'],
  'BR-MG': ['Belo Horizonte'],
  'BR-PR': ['Curitiba'],
  'BR-RJ': ['Rio de Janeiro', 'Niteroi'],
  'BR-RS': ['Porto Alegre'],
  'BR-SP': ['Sao Paulo', 'Campinas', 'Santos'],
  'CA-AB': ['Calgary', 'Edmonton'],
  'CA-BC': ['Vancouver', 'Victoria'],
  'CA-MB': ['Winnipeg'],
  'CA-ON': ['Toronto', 'Ottawa', 'Hamilton'],
  'CA-QC': ['Montreal', 'Quebec City'],
  'DE-BE': ['Berlin'],
  'DE-BW': ['Stuttgart', 'Mannheim'],
  'DE-BY': ['Munich', 'Nuremberg', 'Augsburg'],
  'DE-HB': ['Bremen'],
  'DE-HE': ['Frankfurt', 'Wiesbaden'],
  'DE-HH': ['Hamburg'],
  'DE-NI': ['Hanover'],
  'DE-NW': ['Cologne', 'Dusseldorf', 'Dortmund', 'Essen'],
  'DE-SN': ['Leipzig', 'Dresden'],
  'ES-AN': ['Seville', 'Malaga'],
  'ES-AR': ['Zaragoza'],
  'ES-CT': ['Barcelona'],
  'ES-MD': ['Madrid'],
  'ES-PV': ['Bilbao'],
  'ES-VC': ['Valencia', 'Alicante'],
  'FR-ARA': ['Lyon', 'Grenoble'],
  'FR-GES': ['Strasbourg'],
  'FR-HDF': ['Lille'],
  'FR-IDF': ['Paris', 'Versailles'],
  'FR-NAQ': ['Bordeaux'],
  'FR-OCC': ['Toulouse', 'Montpellier'],
  'FR-PAC': ['Marseille', 'Nice'],
  'FR-PDL': ['Nantes'],
  'GB-ENG': ['London', 'Manchester', 'Birmingham', 'Leeds', 'Liverpool', 'Bristol', 'Sheffield'],
  'GB-NIR': ['Belfast'],
  'GB-SCT': ['Edinburgh', 'Glasgow'],
  'GB-WLS': ['Cardiff', 'Swansea'],
  'IN-DL': ['New Delhi'],
  'IN-KA': ['Bengaluru'],
  'IN-MH': ['Mumbai', 'Pune'],
  'IN-TN': ['Chennai'],
  'IN-TS': ['Hyderabad'],
  'IN-WB': ['Kolkata'],
  'IT-25': ['Milan', 'Bergamo'],
  'IT-21': ['Turin'],
  'IT-45': ['Bologna'],
  'IT-52': ['Florence'],
  'IT-62': ['Rome'],
  'IT-72': ['Naples'],
  'IT-82': ['Palermo'],
  'JP-01': ['Sapporo'],
  'JP-13': ['Tokyo'],
  'JP-14': ['Yokohama', 'Kawasaki'],
  'JP-23': ['Nagoya'],
  'JP-26': ['Kyoto'],
  'JP-27': ['Osaka'],
  'JP-40': ['Fukuoka'],
  'MX-CMX': ['Mexico City'],
  'MX-JAL': ['Guadalajara'],
  'MX-NLE': ['Monterrey'],
  'MX-PUE': ['Puebla'],
  'NL-NB': ['Eindhoven'],
  'NL-NH': ['Amsterdam', 'Haarlem'],
  'NL-UT': ['Utrecht'],
  'NL-ZH': ['Rotterdam', 'The Hague'],
  'PL-02': ['Wroclaw'],
  'PL-10': ['Lodz'],
  'PL-12': ['Krakow'],
  'PL-14': ['Warsaw'],
  'PL-22': ['Gdansk'],
  'PL-30': ['Poznan'],
  'US-AZ': ['Phoenix', 'Tucson'],
  'US-CA': ['Los Angeles', 'San Diego', 'San Francisco', 'San Jose', 'Sacramento'],
  'US-CO': ['Denver'],
  'US-FL': ['Miami', 'Orlando', 'Tampa', 'Jacksonville'],
  'US-GA': ['Atlanta'],
  'US-IL': ['Chicago'],
  'US-MA': ['Boston'],
  'US-MI': ['Detroit'],
  'US-NV': ['Las Vegas'],
  'US-NY': ['New York City', 'Buffalo', 'Rochester'],
  'US-OH': ['Columbus', 'Cleveland'],
  'US-OR': ['Portland'],
  'US-PA': ['Philadelphia', 'Pittsburgh'],
  'US-TX': ['Houston', 'Dallas', 'Austin', 'San Antonio'],
  'US-WA': ['Seattle', 'Spokane'],
};

const byCountry = new Map<string, City[]>();
for (const [state, names] of Object.entries(CITIES)) {
  const country = state.slice(0, 2).toLowerCase();
  const cities = byCountry.get(country) ?? byCountry.set(country, []).get(country) ?? [];
  cities.push(...names.map((name) => ({ code: toSlug(name), name, state })));
}
for (const cities of byCountry.values()) cities.sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The cities of a country, or of one of its states. */
export const citiesOf = (country: string, state?: string): readonly City[] =>
  (byCountry.get(country) ?? []).filter((city) => state === undefined || city.state === state);
