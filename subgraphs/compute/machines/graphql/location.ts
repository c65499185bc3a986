import { builder } from '../../builder.ts';
import { Vps } from '../../servers/graphql/vps.ts';
import { locationOfServer } from '../services/locations.ts';

builder.objectField(Vps, 'location', (t) => t.string({ nullable: true, resolve: (server, _args, ctx) => locationOfServer(ctx, server) }));
