// The desk's commands on the prices of one account, in the subgraph of one seller.
import { type DeskCommand, Refusal, momentOf, table } from '#platform/desk-command.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { toText } from '../catalogue/catalogue-value.ts';
import { decimalOf } from '../money.ts';
import { approveAccountPrice, declineAccountPrice, waitingAccountPrices } from './approve-account-price.ts';
import {
  type AccountPriceContext,
  type AccountPriceLine,
  accountPriceLines,
  endAccountPrice,
  previewAccountPrice,
  previewLowering,
  setAccountPrice,
} from './set-account-price.ts';

/** The options that commands take, besides `--by`. */
export const PRICE_OPTIONS = ['item', 'price', 'from', 'until', 'reason', 'running', 'tell'] as const;

export interface PriceWords extends Partial<Record<(typeof PRICE_OPTIONS)[number], string | undefined>> {
  /** The id of the account, or of the price. */
  of: string;
  seller: Seller;
}

interface PriceCommand extends DeskCommand<AccountPriceContext, PriceWords> {
  /** The word after the command names an account. */
  ofAccount: boolean;
  /** It needs `--item`. */
  ofItem: boolean;
}

const wishOf = (words: PriceWords) => {
  const { of: accountId, item = '', price: value } = words;
  if (value === undefined) throw new Refusal('This needs --price.');
  return { accountId, item, value, from: momentOf('from', words.from), until: momentOf('until', words.until) };
};

function isYes(words: PriceWords, option: 'running' | 'tell', usual: boolean): boolean {
  const word = words[option];
  if (word === undefined) return usual;
  if (word === 'yes' || word === 'no') return word === 'yes';
  throw new Refusal(`--${option} is yes or no.`);
}

const stateOfLine = ({ state, awaitsApprovalUntil }: AccountPriceLine) =>
  awaitsApprovalUntil ? `waits for a colleague until ${awaitsApprovalUntil.toISOString()}` : state;

const textOfLine = (line: AccountPriceLine) => {
  const { id, item, text, costs, from, until, endedAt, setBy, reason } = line;
  return [id, item, text, costs, stateOfLine(line), from.toISOString(), (endedAt ?? until)?.toISOString(), setBy, reason];
};

export const PRICE_COMMANDS: Readonly<Record<string, PriceCommand>> = {
  list: {
    permission: 'customers',
    ofAccount: true,
    ofItem: false,
    words: 'ACCOUNT [--item ITEM]',
    about: 'every price of its own that an account has or had: as set, what it costs, from when until when',
    async run(ctx, { of, item: wanted }) {
      const lines = await accountPriceLines(ctx, of);
      return table(lines.filter(({ item }) => wanted === undefined || item === wanted).map(textOfLine));
    },
  },
  preview: {
    permission: 'account_prices',
    ofAccount: true,
    ofItem: true,
    words: 'ACCOUNT --item ITEM --price VALUE [--from AT] [--until AT]',
    about: 'what the account would pay from when on, and whether a second person is needed; changes nothing',
    async run(ctx, words) {
      const wish = wishOf(words);
      const { field, moments } = await previewAccountPrice(ctx, wish);
      const { needsSecondPerson, lowersBasisPoints, aloneBasisPoints } = previewLowering(ctx, wish);
      const percent = (basisPoints: number) => `${decimalOf(basisPoints)}%`;
      const second = `needs a second person: ${percent(lowersBasisPoints)} below the catalogue, and one may take off ${percent(aloneBasisPoints)} alone`;
      return `${table(moments.map(({ from, value }) => [from.toISOString(), toText(field.kind, value)]))}${needsSecondPerson ? `\n${second}` : ''}`;
    },
  },
  set: {
    permission: 'account_prices',
    ofAccount: true,
    ofItem: true,
    words: 'ACCOUNT --item ITEM --price VALUE --reason TEXT [--from AT] [--until AT] [--running yes] [--tell no]',
    about:
      'the account pays this for what it orders; --running yes: what it has renews at it too, where that is cheaper; --tell no: without a mail to it',
    async run(ctx, words) {
      const wish = {
        ...wishOf(words),
        reason: words.reason ?? '',
        running: isYes(words, 'running', false),
        tell: isYes(words, 'tell', true),
      };
      return table([textOfLine(await setAccountPrice(ctx, words.seller, wish))]);
    },
  },
  requests: {
    permission: 'account_prices',
    ofAccount: false,
    ofItem: false,
    words: '',
    about: 'prices that lower more than a colleague may alone, and that nobody has answered yet',
    run: async (ctx) => table((await waitingAccountPrices(ctx)).map((line) => [line.accountId, ...textOfLine(line)])),
  },
  agree: {
    permission: 'account_prices',
    ofAccount: false,
    ofItem: true,
    words: 'PRICE-ID --item ITEM',
    about: 'the account pays what a colleague has asked for',
    run: async (ctx, { of, seller }) => table([textOfLine(await approveAccountPrice(ctx, seller, of))]),
  },
  refuse: {
    permission: 'account_prices',
    ofAccount: false,
    ofItem: true,
    words: 'PRICE-ID --item ITEM',
    about: 'what a colleague has asked for never holds',
    run: async (ctx, { of }) => table([textOfLine(await declineAccountPrice(ctx, of))]),
  },
  end: {
    permission: 'account_prices',
    ofAccount: false,
    ofItem: true,
    words: 'PRICE-ID --item ITEM [--tell no]',
    about: "the account pays the catalogue's price from now on; what has renewed at its own keeps it",
    async run(ctx, words) {
      return table([textOfLine(await endAccountPrice(ctx, words.seller, words.of, isYes(words, 'tell', true)))]);
    },
  },
};
