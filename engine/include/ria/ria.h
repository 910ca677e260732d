/* ria/ria.h - the whole public API. Solver authors add ria/solver.h. */
#ifndef RIA_RIA_H
#define RIA_RIA_H
#include <ria/bench.h>
#include <ria/boundary.h>
#include <ria/checkpoint.h>
#include <ria/crs.h>
#include <ria/csv.h>
#include <ria/date.h>
#include <ria/dem.h>
#include <ria/event.h>
#include <ria/export.h>
#include <ria/field.h>
#include <ria/field3.h>
#include <ria/from.h>
#include <ria/grid.h>
#include <ria/limit.h>
#include <ria/output.h>
#include <ria/relax.h>
#include <ria/series.h>
#include <ria/shapes.h>
#include <ria/sim.h>
#include <ria/soundings.h>
#include <ria/status.h>
#include <ria/tide_model.h>
#include <ria/tridiag.h>
#include <ria/units.h>
#endif
