import { declareKeptData } from '#platform/kept-data-graph.ts';
import { builder } from '../../builder.ts';
import { kept } from '../../kept.ts';

declareKeptData(builder, 'computeData', kept);
