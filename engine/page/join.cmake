# join.cmake - the parts of a page, one behind the other, as an array of C, declared in HEADER:
#   cmake -DPARTS=a,b,c -DNAME=ria_page_html -DHEADER=outputs/page.h -DOUT=page_html.c -P join.cmake
string(REPLACE "," ";" PARTS "${PARTS}")
set(hex "")
foreach(part IN LISTS PARTS)
  file(READ ${part} text HEX)
  string(APPEND hex "${text}")
endforeach()
string(LENGTH "${hex}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," body "${hex}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" body "${body}")
file(WRITE ${OUT} "/* Made from engine/page. */
#include \"${HEADER}\"
const unsigned char ${NAME}[] = {
${body}};
const size_t ${NAME}_size = ${bytes};
")
